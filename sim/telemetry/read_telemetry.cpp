#include "sim/telemetry/read_telemetry.hpp"

#include <array>

#include "sim/json/json_value.hpp"
#include "sim/telemetry/readers.hpp"

namespace specroute::sim {
namespace {

using Format = TelemetryFormat;

struct FormatName {
  Format format;
  const char* name;
};

constexpr std::array kFormats = {
    FormatName{Format::prometheus, "prometheus"},
    FormatName{Format::query_range, "query_range"},
    FormatName{Format::vllm_log, "vllm_log"},
    FormatName{Format::sglang_log, "sglang_log"},
    FormatName{Format::llama_cpp_log, "llama_cpp_log"},
    FormatName{Format::events, "events"},
};

bool holds(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

bool begins_like_a_metric(std::string_view line) {
  for (const std::string_view engine : {"vllm", "sglang", "llamacpp"})
    if (line.starts_with(engine) && line.size() > engine.size() &&
        (line[engine.size()] == ':' || line[engine.size()] == '_'))
      return true;
  return false;
}

std::optional<Format> format_of_line(std::string_view line) {
  if (line.starts_with("# HELP ") || line.starts_with("# TYPE ") || begins_like_a_metric(line))
    return Format::prometheus;
  if (holds(line, "SpecDecoding metrics:") || holds(line, "Speculative metrics:"))
    return Format::vllm_log;
  if (holds(line, "Decode batch") && holds(line, "#running-req")) return Format::sglang_log;
  if (holds(line, "draft acceptance") || (holds(line, "statistics") && holds(line, "#gen tokens")))
    return Format::llama_cpp_log;
  return std::nullopt;
}

}  // namespace

std::optional<TelemetryFormat> format_named(std::string_view name) {
  for (const FormatName& one : kFormats)
    if (one.name == name) return one.format;
  return std::nullopt;
}

const char* format_name(TelemetryFormat format) {
  for (const FormatName& one : kFormats)
    if (one.format == format) return one.name;
  return "";
}

std::string labels_text(const Labels& labels) {
  std::string text = "{";
  for (const auto& [name, value] : labels)
    text += (text.size() > 1 ? ", " : "") + name + "=" + sim::quoted(value);
  return text + "}";
}

std::string place_text(const FileReport& file, const Origin& origin) {
  if (file.format != Format::query_range) return std::to_string(origin.item);
  return "/data/result/" + std::to_string(origin.part) + "/values/" + std::to_string(origin.item);
}

std::optional<TelemetryFormat> telling_format(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && text[begin] == '{')
    return holds(text, "\"resultType\"") ? Format::query_range : Format::events;
  std::optional<Format> found;
  for_each_line(text, [&](std::string_view line, std::uint64_t) {
    if (!found) found = format_of_line(line);
  });
  return found;
}

Diagnostics read_telemetry(const TelemetryFile& file, Telemetry& into) {
  const auto format = file.format ? file.format : telling_format(file.text);
  if (!format || *format == Format::events)
    return {{.file = file.name,
             .place = {},
             .expected = "metrics or a log with lines about speculation",
             .found = format ? "our own events" : "none that are known",
             .nearest = {}}};
  FileReport report;
  report.name = file.name;
  report.format = *format;
  report.told = file.format.has_value();
  into.files.push_back(std::move(report));
  Intake intake(into, file.settings);
  switch (*format) {
    case Format::prometheus:
      read_prometheus(file.text, intake);
      break;
    case Format::query_range:
      return read_query_range(file.text, intake);
    case Format::vllm_log:
      read_vllm_log(file.text, intake);
      break;
    case Format::sglang_log:
      read_sglang_log(file.text, intake);
      break;
    default:
      read_llama_cpp_log(file.text, intake);
      break;
  }
  return {};
}

}  // namespace specroute::sim

#include "sim/cli/make_trace_command.hpp"

#include "sim/json/diagnostics_text.hpp"
#include "sim/report/result_directory.hpp"

namespace specroute::sim {
namespace {

TraceFormat format_of(const std::string& spelling) {
  if (spelling == "azure") return TraceFormat::azure;
  if (spelling == "mooncake") return TraceFormat::mooncake;
  return spelling == "burstgpt" ? TraceFormat::burstgpt : TraceFormat::specroute;
}

}  // namespace

ExitCode make_trace_command(const MakeTraceArguments& arguments, std::ostream& out,
                            std::ostream& err) {
  TraceRecipe recipe = arguments.recipe;
  recipe.format = format_of(arguments.format);
  const std::string text = make_trace(recipe);
  if (arguments.out.empty()) {
    out << text;
    return ExitCode::ran;
  }
  auto faults = check_file_destination(arguments.out);
  if (faults.empty()) faults = write_whole_file(arguments.out, text);
  err << format_diagnostics(faults);
  return faults.empty() ? ExitCode::ran : ExitCode::bad_usage;
}

}  // namespace specroute::sim

#include "sim/plugins/plugin_argument.hpp"

#include <algorithm>
#include <filesystem>

#include "sim/digest/sha256.hpp"
#include "sim/json/json_text.hpp"
#include "sim/json/text_file.hpp"
#include "sim/plugins/words_of_command.hpp"

namespace specroute::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlace = "--policy";

Diagnostic fault(const std::string& argument, std::string expected, std::string found) {
  return {.file = kPlace,
          .place = argument,
          .expected = std::move(expected),
          .found = std::move(found),
          .nearest = {}};
}

std::string file_name(const std::string& path) {
  return fs::path(path).filename().string();
}

/// "mine" of "./libmine.so".
std::string label_of_file(const std::string& path) {
  std::string stem = fs::path(path).stem().string();
  if (stem.starts_with("lib") && stem.size() > 3) stem.erase(0, 3);
  std::ranges::replace_if(stem, [](char c) { return c == ',' || c == ' '; }, '_');
  return stem;
}

bool is_label(const std::string& text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, fits);
}

/// A plug-in in the making, from one argument.
class Argument {
 public:
  explicit Argument(std::string text) : text_(std::move(text)) {}

  Diagnostics read() {
    std::string rest = text_;
    if (!rest.starts_with("lib:") && !rest.starts_with("exec:")) {
      const std::size_t sign = rest.find('=');
      const std::string after = sign == std::string::npos ? "" : rest.substr(sign + 1);
      if (!after.starts_with("lib:") && !after.starts_with("exec:"))
        return {fault(text_, "[NAME=]lib:PATH[:CONFIG] or [NAME=]exec:COMMAND", "neither")};
      plugin_.label = rest.substr(0, sign);
      if (!is_label(plugin_.label))
        return {fault(text_, "a name of at most 64 letters, digits, \"_\", \"-\" and \".\"",
                      sim::quoted(plugin_.label))};
      rest = after;
    }
    named_ = !plugin_.label.empty();
    if (rest.starts_with("lib:"))
      read_lib(rest.substr(4));
    else
      read_exec(rest.substr(5));
    return std::move(faults_);
  }

  [[nodiscard]] bool is_named() const { return named_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  Plugin& plugin() { return plugin_; }

 private:
  void read_lib(const std::string& rest) {
    plugin_.kind = Plugin::Kind::lib;
    const std::size_t written = rest.find(":{");
    const std::size_t colon = written == std::string::npos ? rest.rfind(':') : written;
    plugin_.path = rest.substr(0, colon);
    if (colon != std::string::npos) read_config(rest.substr(colon + 1));
    const auto module = text_of_file(plugin_.path);
    if (!module) {
      faults_.push_back(
          fault(text_, "the path of a module", "no file " + sim::quoted(plugin_.path)));
      return;
    }
    plugin_.identity.source = "lib:" + file_name(plugin_.path);
    plugin_.identity.sha256 = sha256_hex(module.value());
    if (!named_) plugin_.label = label_of_file(plugin_.path);
  }

  void read_config(const std::string& config) {
    const bool is_text = config.starts_with('{');
    const Result<std::string> text = is_text ? Result<std::string>(config) : text_of_file(config);
    if (!text) {
      faults_.push_back(
          fault(text_, "the path of a configuration", "no file " + sim::quoted(config)));
      return;
    }
    const auto tree = parse_json(text.value(), is_text ? kPlace : config);
    const Diagnostics& wrong = tree ? tree.value().duplicate_keys : tree.diagnostics();
    for (Diagnostic each : wrong) {
      if (is_text) each.place = text_ + ": CONFIG " + each.place;
      faults_.push_back(std::move(each));
    }
    plugin_.config_json = text.value();
    plugin_.has_config = true;
  }

  void read_exec(const std::string& command) {
    plugin_.kind = Plugin::Kind::exec;
    const auto words = words_of_command(command);
    if (!words || words->empty()) {
      faults_.push_back(fault(text_, "a command", words ? "none" : "a quote that is not closed"));
      return;
    }
    plugin_.words = *words;
    std::string shown = "exec:" + file_name(words->front());
    std::string label = label_of_file(words->front());
    for (std::size_t i = 1; i < words->size(); ++i) {
      const std::string& word = (*words)[i];
      const auto file = text_of_file(word);
      shown += ' ' + (file ? file_name(word) : word);
      if (!file) continue;
      plugin_.identity.files.emplace_back(file_name(word), sha256_hex(file.value()));
      label = label_of_file(word);
    }
    plugin_.identity.source = shown;
    plugin_.identity.sha256 = sha256_hex(shown);
    if (!named_) plugin_.label = label;
  }

  std::string text_;
  bool named_ = false;
  Plugin plugin_;
  Diagnostics faults_;
};

}  // namespace

Result<std::vector<Plugin>> read_plugins(const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& taken) {
  Diagnostics faults;
  std::vector<Argument> read;
  std::vector<std::string> labels = taken;
  for (const std::string& text : arguments) {
    Argument argument(text);
    const auto found = argument.read();
    faults.insert(faults.end(), found.begin(), found.end());
    if (argument.is_named()) {
      if (std::ranges::find(labels, argument.plugin().label) != labels.end())
        faults.push_back(
            fault(text, "a name that no other gate has", sim::quoted(argument.plugin().label)));
      labels.push_back(argument.plugin().label);
    }
    read.push_back(std::move(argument));
  }
  std::vector<Plugin> plugins;
  for (Argument& argument : read) {
    Plugin& plugin = argument.plugin();
    const std::string stem = plugin.label;
    for (int i = 2; !argument.is_named() && std::ranges::find(labels, plugin.label) != labels.end();
         ++i)
      plugin.label = stem + "-" + std::to_string(i);
    labels.push_back(plugin.label);
    plugins.push_back(std::move(plugin));
  }
  if (!faults.empty()) return faults;
  return plugins;
}

}  // namespace specroute::sim

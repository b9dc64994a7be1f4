#include "sim/policy_test/report.hpp"

#include "sim/json/json_places.hpp"
#include "sim/records/date_text.hpp"
#include "sim/records/integer_text.hpp"

namespace specroute::sim {
namespace {

std::string kind_name(TestFailure::Kind kind) {
  switch (kind) {
    case TestFailure::Kind::missing:
      return "missing";
    case TestFailure::Kind::barred:
      return "barred";
    case TestFailure::Kind::unexpected:
      return "unexpected";
    case TestFailure::Kind::refused:
      return "refused";
  }
  return {};
}

std::string event_head(const TestFailure& failure) {
  return "event " + std::to_string(failure.number) + " at " + seconds_text(failure.at) + " s";
}

/// The lines of one failure, below the name of its test.
std::string lines_of(const TestFailure& failure, const std::string& place) {
  std::string text = "  " + place + '\n';
  if (failure.number != 0)
    text += "    event     " + event_head(failure) + ": " + failure.event + '\n';
  text += "    expected  " + failure.expected + '\n';
  text += "    got       " + failure.got + '\n';
  if (!failure.explain.empty()) text += "    explain   " + failure.explain + '\n';
  return text;
}

std::string place_of(const std::string& file, const JsonPlaces& places, std::string_view pointer) {
  return file + ':' + places.of(pointer);
}

JsonValue object() {
  return JsonValue(JsonValue::Kind::object);
}

void add(JsonValue& to, std::string key, JsonValue value) {
  to.members.push_back({std::move(key), std::move(value)});
}

JsonValue count_json(std::size_t count) {
  return integer_json(static_cast<std::int64_t>(count));
}

JsonValue failure_json(const TestFailure& failure, const JsonPlaces& places) {
  JsonValue json = object();
  add(json, "kind", text_json(kind_name(failure.kind)));
  add(json, "line", count_json(places.line_of(failure.pointer)));
  add(json, "pointer", text_json(failure.pointer));
  add(json, "event", unsigned_json(failure.number));
  JsonValue date(JsonValue::Kind::real);
  date.text = seconds_text(failure.at);
  add(json, "at_s", date);
  add(json, "record", text_json(failure.event));
  add(json, "expected", text_json(failure.expected));
  add(json, "got", text_json(failure.got));
  add(json, "explain", text_json(failure.explain));
  return json;
}

JsonValue suite_json(const SuiteOutcome& suite) {
  const JsonPlaces places(suite.text);
  JsonValue json = object();
  add(json, "file", text_json(suite.file));
  JsonValue tests(JsonValue::Kind::array);
  for (const TestOutcome& test : suite.tests) {
    JsonValue one = object();
    add(one, "name", text_json(test.name));
    add(one, "line", count_json(places.line_of(test.pointer)));
    add(one, "passed", truth_json(test.passed()));
    add(one, "events", unsigned_json(test.events));
    add(one, "decisions", unsigned_json(test.decisions));
    JsonValue failures(JsonValue::Kind::array);
    for (const TestFailure& failure : test.failures)
      failures.items.push_back(failure_json(failure, places));
    add(one, "failures", failures);
    tests.items.push_back(one);
  }
  add(json, "tests", tests);
  return json;
}

/// For text and attributes alike; what XML 1.0 cannot hold becomes a question mark.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += byte < 0x20 && c != '\n' && c != '\t' ? '?' : c;
  }
  return out;
}

std::string attribute(const std::string& name, const std::string& value) {
  return ' ' + name + "=\"" + xml(value) + '"';
}

std::string junit_case(const SuiteOutcome& suite, const TestOutcome& test,
                       const JsonPlaces& places) {
  std::string text = "    <testcase" + attribute("name", test.name) +
                     attribute("classname", suite.file) + attribute("file", suite.file) +
                     attribute("line", std::to_string(places.line_of(test.pointer)));
  if (test.passed()) return text + "/>\n";
  text += ">\n";
  for (const TestFailure& failure : test.failures)
    text += "      <failure" + attribute("type", kind_name(failure.kind)) +
            attribute("message", failure.expected + "; got " + failure.got) + '>' +
            xml(lines_of(failure, place_of(suite.file, places, failure.pointer))) + "</failure>\n";
  return text + "    </testcase>\n";
}

}  // namespace

Tally tally_of(const std::vector<SuiteOutcome>& suites) {
  Tally tally;
  for (const SuiteOutcome& suite : suites)
    for (const TestOutcome& test : suite.tests) ++(test.passed() ? tally.passed : tally.failed);
  return tally;
}

std::string failure_text(const SuiteOutcome& suite) {
  const JsonPlaces places(suite.text);
  std::string text;
  for (const TestOutcome& test : suite.tests) {
    if (test.passed()) continue;
    text += "FAIL " + quoted(test.name) + '\n';
    for (const TestFailure& failure : test.failures)
      text += lines_of(failure, place_of(suite.file, places, failure.pointer));
  }
  return text;
}

std::string tally_text(const Tally& tally) {
  return std::to_string(tally.passed) + " passed, " + std::to_string(tally.failed) + " failed";
}

std::string suites_json(const std::vector<SuiteOutcome>& suites) {
  const Tally tally = tally_of(suites);
  JsonValue json = object();
  add(json, "schema", text_json("specroute-policy-tests/1"));
  add(json, "passed", count_json(tally.passed));
  add(json, "failed", count_json(tally.failed));
  JsonValue files(JsonValue::Kind::array);
  for (const SuiteOutcome& suite : suites) files.items.push_back(suite_json(suite));
  add(json, "files", files);
  return write_json(json, {.sorted_keys = false, .indentation = 2}) + '\n';
}

std::string suites_junit(const std::vector<SuiteOutcome>& suites) {
  const auto counts = [](const Tally& tally) {
    return attribute("tests", std::to_string(tally.passed + tally.failed)) +
           attribute("failures", std::to_string(tally.failed));
  };
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts(tally_of(suites)) + ">\n";
  for (const SuiteOutcome& suite : suites) {
    const JsonPlaces places(suite.text);
    text += "  <testsuite" + attribute("name", suite.file) + counts(tally_of({suite})) + ">\n";
    for (const TestOutcome& test : suite.tests) text += junit_case(suite, test, places);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace specroute::sim

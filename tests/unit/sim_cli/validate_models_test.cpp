// `specroute validate-models` from outside: documents, notes, faults and exit codes.
#include "tests/unit/sim_cli/cli_fixture.hpp"

namespace specroute::sim {
namespace {

class ValidateModels : public Cli {
 protected:
  /// Writes a file of the data directory, which lies beside the directory under test.
  void data(const std::string& name, const std::string& text) const {
    const fs::path path = fs::path(root_.string() + ".data") / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  [[nodiscard]] std::string data_path() const { return root_.string() + ".data"; }
  ~ValidateModels() override { fs::remove_all(data_path()); }
};

/// 1 exactly where the document says that a bound is missed.
int code_of(const std::string& json) {
  return json.find("\"missed_bounds\": 0,") == std::string::npos ? 1 : 0;
}

TEST_F(ValidateModels, RunsOnPublishedFactsAlone) {
  const Outcome outcome =
      run({"validate-models", "--json", in("v.json"), "--markdown", in("v.md")});
  const std::string json = text_of(in("v.json"));
  EXPECT_EQ(outcome.code, code_of(json)) << outcome.err;
  EXPECT_NE(outcome.out.find("Speculative sampling against Leviathan"), std::string::npos);
  EXPECT_NE(outcome.out.find("note: not run: mean acceptance length of long drafts (no "
                             "acceptance/*.csv)"),
            std::string::npos);
  EXPECT_NE(outcome.out.find(" bounds are met\n"), std::string::npos);
  EXPECT_EQ(json.find("{\n  \"schema\": \"specroute-validation/1\""), 0U);
  const std::string page = text_of(in("v.md"));
  EXPECT_EQ(page.find("# Models held to measurement\n"), 0U);
  EXPECT_NE(page.find("what not to conclude from this simulator"), std::string::npos);
}

TEST_F(ValidateModels, ExitsWith1WhereABoundIsMissed) {
  // A draft that ends after four tokens: no law of the first four can know.
  data("acceptance/a.csv",
       "model,num_speculative_tokens,mean_acceptance_length\n"
       "m,1,1.9\nm,2,2.8\nm,3,3.7\nm,4,4.6\nm,8,4.6\n");
  const Outcome outcome = run({"validate-models", "--data", data_path(), "--json", in("v.json")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("MISSED"), std::string::npos);
  EXPECT_NE(outcome.err.find("missed\n"), std::string::npos);
  EXPECT_NE(text_of(in("v.json")).find("\"met\": false"), std::string::npos);
}

TEST_F(ValidateModels, PrintsOneDocumentAlone) {
  const Outcome json = run({"validate-models", "--json"});
  EXPECT_EQ(json.out.find("{\n"), 0U);
  EXPECT_EQ(json.out.find("bounds are met"), std::string::npos);
  EXPECT_EQ(run({"validate-models", "--markdown", "-"}).out.find("# Models"), 0U);
  EXPECT_EQ(run({"validate-models", "--markdown", "-", "--json", "-"}).code, 2);
  EXPECT_EQ(run({"validate-models", "--quiet"}).out, "");
}

TEST_F(ValidateModels, WritesTheSameBytesTwice) {
  const auto first = run({"validate-models", "--json", in("a.json"), "--markdown", in("a.md")});
  const auto second = run({"validate-models", "--json", in("b.json"), "--markdown", in("b.md")});
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(text_of(in("a.json")), text_of(in("b.json")));
  EXPECT_EQ(text_of(in("a.md")), text_of(in("b.md")));
}

TEST_F(ValidateModels, ExitsWith2OnBadDataAndWritesNothing) {
  data("acceptance/a.csv", "model,num_speculative_tokens,mean_acceptance_lenght\nm,1,1.9\n");
  data("acceptance/b.csv",
       "model,num_speculative_tokens,mean_acceptance_length\nm,1,1.9\nm,two,2.1\n");
  const Outcome outcome = run(
      {"validate-models", "--data", data_path(), "--json", in("v.json"), "--markdown", in("v.md")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, data_path() +
                             "/acceptance/a.csv: header: expected a column "
                             "\"mean_acceptance_length\", found none of that name; did you mean "
                             "\"mean_acceptance_lenght\"?\n" +
                             data_path() +
                             "/acceptance/b.csv:3: num_speculative_tokens: expected a whole "
                             "number from 1 to 16, found \"two\"\n");
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(ValidateModels, ExitsWith2WithoutAnyDataFile) {
  const Outcome absent = run({"validate-models", "--data", in("nowhere")});
  EXPECT_EQ(absent.code, 2);
  EXPECT_NE(absent.err.find(in("nowhere")), std::string::npos);
  data("readme.csv", "x\n");
  const Outcome empty = run({"validate-models", "--data", data_path()});
  EXPECT_EQ(empty.code, 2);
  EXPECT_NE(empty.err.find("expected at least one of perf/serving_measured.csv"),
            std::string::npos);
  EXPECT_EQ(run({"validate-models", "--data", ""}).code, 2);
  EXPECT_EQ(run({"validate-models", "--data"}).code, 2);
}

TEST_F(ValidateModels, ChecksDestinationsBeforeItComputes) {
  std::ofstream(in("file")) << "x";
  const Outcome outcome = run({"validate-models", "--markdown", in("file") + "/v.md"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
}

}  // namespace
}  // namespace specroute::sim

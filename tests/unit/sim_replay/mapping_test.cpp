#include "sim/replay/mapping.hpp"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include <specroute/router/binding.hpp>

#include "sim/json/diagnostics_text.hpp"
#include "tests/unit/sim_replay/replay_text.hpp"

namespace specroute::sim {
namespace {

std::string faults_of(const std::string& text) {
  const auto mapping = parse_mapping(text, "m.json");
  return mapping ? "" : format_diagnostics(mapping.diagnostics());
}

TEST(Mapping, HashesParametersAsTheRouterLibraryDoes) {
  const Mapping mapping = mapping_of(mapping_text());
  std::uint64_t bits = 0;
  ASSERT_TRUE(router::hash_bits(router::params_hash(0.7, 1.0, 0, ""), bits));
  EXPECT_EQ(mapping.profiles[0].profile.required_v1, bits);
  const srp_side side = side_for(mapping.backends[0], mapping.profiles[0].profile);
  EXPECT_EQ(side.params_v1, bits) << "as requested";
  EXPECT_EQ(side.known, SRP_FP_TOKENIZER | SRP_FP_PARAMS) << "what is not stated is not known";
  EXPECT_EQ(side.tokenizer, mapping.backends[1].side.tokenizer);
}

TEST(Mapping, TellsEveryFaultOfTheSchemaAtOnce) {
  EXPECT_EQ(
      faults_of(R"({"$schema": "s", "profiles": [], "backend": [], "pairings": [{"name": 1}]})"),
      R"(m.json: /backend (1:34): found an unknown key; did you mean "backends"?
m.json: /pairings/0/draft (1:62): expected a string, found no such key
m.json: /pairings/0/match (1:62): expected an object with at least one key, found no such key
m.json: /pairings/0/name (1:63): expected a non-empty string, found 1
m.json: /pairings/0/profile (1:62): expected a string, found no such key
m.json: /pairings/0/target (1:62): expected a string, found no such key
m.json: /profiles (1:18): expected an array of length 1 to 1024, found an array of length 0
)");
}

TEST(Mapping, TellsUnknownNamesWithTheNearestAndDatesThatAreNone) {
  const std::string text = mapping_text(R"(, "from": "2026-11-06 08:00")", R"(,
    "failovers": [{"at": "noon", "from": "alpha", "to": "alph4"}],
    "sampling_changes": [{"at": "2026-11-06T08:00:00Z", "backend": "targ3t"}])");
  const std::string date = "expected a date with its zone, as 2026-11-06T08:15:00Z, found ";
  EXPECT_EQ(
      faults_of(text),
      "m.json: /failovers/0/at (6:20): " + date + "\"noon\"\n" +
          R"(m.json: /failovers/0/to (6:51): expected the name of a pairing, found "alph4"; did you mean "alpha"?
m.json: /pairings/0/from (5:54): )" +
          date + R"("2026-11-06 08:00"
m.json: /sampling_changes/0/backend (7:57): expected the name of a backend, found "targ3t"; did you mean "target"?
)");
}

TEST(Mapping, RefusesTwoWaysToStateParametersAndHashesThatAreNone) {
  const std::string text =
      R"({"$schema": "s", "profiles": [{"name": "p", "params_hash": {"v1": "XYZ"}}],
    "backends": [{"name": "d", "as_requested": true, "sampling": {"temperature": 0}}, {"name": "d"}],
    "pairings": [{"name": "a", "draft": "d", "target": "d", "profile": "p", "match": {"x": "y"}}]})";
  EXPECT_EQ(
      faults_of(text),
      "m.json: /backends/0/sampling (2:54): expected one of sampling, params_hash and "
      "as_requested, "
      "found an object\n"
      "m.json: /backends/1/name (2:88): expected a name that no other backend has, found \"d\"\n"
      "m.json: /profiles/0/params_hash/v1 (1:61): expected 16 lower-case hex digits, found "
      "\"XYZ\"\n");
}

TEST(Mapping, IsTheSampleOfTheDocumentation) {
  std::ifstream stream(SPECROUTE_SOURCE_DIR "/scenarios/telemetry/mapping.json");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(faults_of(text), "");
}

}  // namespace
}  // namespace specroute::sim

// What each gate says and is in the end, on fixed stories: a change of behaviour shows in review.
// UPDATE_GOLDEN=1 rewrites gate_digests.golden.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

#include "tests/unit/router/all_gates.hpp"
#include "tests/unit/router/event_stream.hpp"
#include "tests/unit/router/random_host.hpp"

namespace specroute::router::test {
namespace {

/// FNV-1a over bytes. @source Fowler, Noll and Vo, draft-eastlake-fnv.
class Fnv {
 public:
  void add(const void* bytes, std::size_t size) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ at[i]) * 0x100000001b3U;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

std::string line_of(const std::string& gate) {
  Fnv answers;
  Fnv states;
  std::size_t decisions = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Stream stream(small_config(gate, 1 + static_cast<int>(seed % 2)));
    for (const AnyEvent& event : story_of(random_words(seed, 60))) {
      const auto answer = stream.policy.on_record(event.head());
      answers.add(&answer.status, sizeof answer.status);
      answers.add(answer.decisions.data(), answer.decisions.size_bytes());
      decisions += answer.decisions.size();
    }
    const std::uint64_t state = stream.policy.digest();
    states.add(&state, sizeof state);
  }
  std::ostringstream line;
  line << std::left << std::setw(17) << gate << std::right << std::setw(6) << decisions << std::hex
       << std::setfill('0') << "  " << std::setw(16) << answers.value() << "  " << std::setw(16)
       << states.value() << '\n';
  return line.str();
}

TEST(GateDigests, AreThoseOfTheGoldenFile) {
  std::string lines = "# gate, decisions, hash of all answers, hash of the states at the end\n";
  for (const std::string& gate : all_gates()) lines += line_of(gate);
  const std::string path =
      std::string(SPECROUTE_SOURCE_DIR) + "/tests/unit/router/gate_digests.golden";
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << lines;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream golden;
  golden << in.rdbuf();
  EXPECT_EQ(golden.str(), lines) << "UPDATE_GOLDEN=1 rewrites the file";
}

/// Beside the golden file: gates are told apart, and a second run is the first.
TEST(GateDigests, DifferBetweenGatesAndNotBetweenRuns) {
  EXPECT_EQ(line_of("validity"), line_of("validity"));
  EXPECT_NE(line_of("validity").substr(24), line_of("validity_safe").substr(24));
}

}  // namespace
}  // namespace specroute::router::test

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <specroute/router/acceptance.hpp>
#include <string>

#include "tests/unit/scratch_folder.hpp"

namespace specroute::router {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// Each literal was printed by the seed's Python, whose call stands beside it.
TEST(ParamsHash, EqualsTheSeedsPython) {
  // params_hash(0.7, 0.95, 42, "json-v1")
  EXPECT_EQ(params_hash(0.7, 0.95, 42, "json-v1"), "60b4daf1243ef008");
  // params_hash(0.0, 0.95, 42, "json-v1")
  EXPECT_EQ(params_hash(0.0, 0.95, 42, "json-v1"), "0a582a5ffabcb4ff");
  // params_hash(-0.0, 1.0, 0, "")
  EXPECT_EQ(params_hash(-0.0, 1.0, 0, ""), "ddf7bc13e299c8dd");
  // params_hash(1.7976931348623157e308, 5e-324, -2**63, "g")
  EXPECT_EQ(params_hash(std::numeric_limits<double>::max(),
                        std::numeric_limits<double>::denorm_min(), kLeast, "g"),
            "cf0ed84939bbf02c");
  // params_hash(0.00005, 0.00015, 2**63-1, "g")
  EXPECT_EQ(params_hash(0.00005, 0.00015, kMost, "g"), "cdba87144eaf1809");
  // params_hash(2.5, 1e22, 7, "é|x")
  EXPECT_EQ(params_hash(2.5, 1e22, 7, "\xc3\xa9|x"), "4b09f9bab9617b04");
  // params_hash(-0.00001, 0.12345, 1, "a")
  EXPECT_EQ(params_hash(-0.00001, 0.12345, 1, "a"), "33c0ca33cca92cce");
}

TEST(ParamsHash, PrintsWhatIsNoNumberAsPythonDoes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // params_hash(math.nan, 1.0, 0, "")
  EXPECT_EQ(params_hash(nan, 1.0, 0, ""), "44c861a41cbc801b");
  EXPECT_EQ(params_hash(-nan, 1.0, 0, ""), "44c861a41cbc801b");
  // params_hash(math.inf, -math.inf, -1, "g")
  EXPECT_EQ(params_hash(kInfinity, -kInfinity, -1, "g"), "5ae099535116b065");
}

// sha256("v2|0.7000|0.9500|50|0.0500|1.1000|0.0000|-0.5000|42|json-v1"), and with top_k 40.
TEST(ParamsHash, VersionTwoSeesTopK) {
  srp_sampling sampling{0.7, 0.95, 0.05, 1.1, 0.0, -0.5, 42, 50, 0, {"json-v1", 7}};
  const auto first = params_hash(1, sampling);
  EXPECT_EQ(params_hash(2, sampling), "4985aaa4b39cb99c");
  sampling.top_k = 40;
  EXPECT_EQ(params_hash(2, sampling), "a4dad4e4dcb16cef");
  EXPECT_EQ(params_hash(1, sampling), first);
}

// sha256("v2|0.7000|1.0000|0|0.0000|1.0000|0.0000|0.0000|rule 3|42|"), and without the rule.
TEST(ParamsHash, VersionTwoSeesTheVerificationRuleWhereItIsSaid) {
  srp_sampling sampling{0.7, 1.0, 0.0, 1.0, 0.0, 0.0, 42, 0, 0, {nullptr, 0}};
  const auto first = params_hash(1, sampling);
  EXPECT_EQ(params_hash(2, sampling), "69993529b9c6da4a");
  sampling.rule = 3;
  EXPECT_EQ(params_hash(2, sampling), "824b0c1c530d41f5");
  EXPECT_EQ(params_hash(1, sampling), first);
}

TEST(ParamsHash, RefusesAnotherVersion) {
  char out[17];
  const srp_sampling sampling{};
  EXPECT_EQ(linked_module().params_hash(3, &sampling, out), SRP_E_ARG);
  EXPECT_EQ(linked_module().params_hash(1, nullptr, out), SRP_E_ARG);
}

constexpr const char* kSeedCode = R"(import hashlib, struct, sys
def params_hash(temperature, top_p, seed, grammar_id):
    blob = f"{temperature:.4f}|{top_p:.4f}|{seed}|{grammar_id}".encode()
    return hashlib.sha256(blob).hexdigest()[:16]
for line in open(sys.argv[1]):
    t, p, s = line.split()
    t, p = (struct.unpack("<d", bytes.fromhex(x))[0] for x in (t, p))
    print(params_hash(t, p, int(s), "g"))
)";

std::string little_endian_hex(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  std::string text;
  for (int i = 0; i < 8; ++i, bits >>= 8U) {
    char byte[3];
    std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned>(bits & 255U));
    text += byte;
  }
  return text;
}

// Half of the doubles are any bits at all, half are of the size that temperatures have.
double any_double(std::mt19937_64& random, int i) {
  const std::uint64_t bits = random();
  if (i % 2 == 0) return static_cast<double>(bits % 40'001) / 20'000.0;
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TEST(ParamsHash, EqualsTheSeedsCodeRunNowOnAThousandDoubles) {
  if (std::system("python3 -c '' >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3 is absent: the seed's code was not run";
  const ScratchFolder scratch;
  const std::string folder = scratch.path().string();
  const std::string base = folder + "/seed";
  std::ofstream(base + ".py") << kSeedCode;
  std::string ours;
  {
    std::ofstream input(base + ".txt");
    std::mt19937_64 random(20'261'106);
    for (int i = 0; i < 1000; ++i) {
      const double temperature = any_double(random, i);
      const double top_p = any_double(random, i / 2);
      const auto seed = static_cast<std::int64_t>(random());
      input << little_endian_hex(temperature) << ' ' << little_endian_hex(top_p) << ' ' << seed
            << '\n';
      ours += params_hash(temperature, top_p, seed, "g") + "\n";
    }
  }
  const std::string command = "python3 '" + base + ".py' '" + base + ".txt' > '" + base + ".out'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream output(base + ".out");
  const std::string theirs{std::istreambuf_iterator<char>(output), {}};
  EXPECT_EQ(ours, theirs);
}

BackendBinding backend(const char* id, const char* params) {
  return {id, "vocab-a", params, 16};
}

TEST(RouteAfterFailover, RejectsTheIncident) {
  const AcceptanceCase incident{backend("draft-a10g-02", "0a582a5ffabcb4ff"),
                                backend("target-h100-07", "60b4daf1243ef008"), 0.41, 0.94, false};
  EXPECT_EQ(route_after_failover(incident), "REBIND");
  EXPECT_STREQ(validate_post_failover_acceptance(incident)->what(),
               "unattributable acceptance spike delta=0.530; draft params=0a582a5ffabcb4ff "
               "target params=60b4daf1243ef008");
}

TEST(RouteAfterFailover, LocksAGenuineGainAndComparesHashesAsText) {
  AcceptanceCase gain{backend("d", "same"), backend("t", "same"), 0.41, 0.94, true};
  EXPECT_EQ(route_after_failover(gain), "LOCK");
  gain.target.params_hash = "other";
  EXPECT_EQ(route_after_failover(gain), "REBIND");
}

TEST(RouteAfterFailover, NamesTheBackendsOfATokenizerMismatch) {
  AcceptanceCase mixed{backend("d", "p"), backend("t", "p"), 0.4, 0.4, false};
  mixed.target.tokenizer_hash = "vocab-b";
  EXPECT_STREQ(validate_post_failover_acceptance(mixed)->what(),
               "tokenizer mismatch draft=d target=t");
}

}  // namespace
}  // namespace specroute::router

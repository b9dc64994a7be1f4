/// @file
/// The device catalogue, and the efficiencies and overheads that hang on it.
#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "models/devices/collective.hpp"
#include "models/devices/device.hpp"
#include "models/devices/overheads.hpp"

namespace specroute::models {
namespace {

TEST(DeviceCatalogue, HoldsEighteenDevicesUnderDistinctNames) {
  std::set<std::string_view> names;
  for (const Device& device : devices()) {
    names.insert(device.name);
    EXPECT_EQ(find_device(device.name), &device);
    EXPECT_FALSE(device.source.empty()) << device.name;
  }
  EXPECT_EQ(devices().size(), 18U);
  EXPECT_EQ(names.size(), devices().size());
}

TEST(DeviceCatalogue, KnowsNoDeviceByAnApproximateName) {
  EXPECT_EQ(find_device("h100-sxm-80"), nullptr);
  EXPECT_EQ(find_device("H100"), nullptr);
  EXPECT_EQ(find_device(""), nullptr);
}

// NVIDIA's H100 SXM datasheet prints 1,979 bf16 TFLOP/s "with sparsity": 989 dense.
TEST(DeviceCatalogue, GivesTheDensePeakOfAnH100) {
  const Device& h100 = *find_device("H100-SXM-80");
  EXPECT_EQ(h100.bf16_dense, FlopsPerSecond{989e12});
  EXPECT_EQ(h100.fp8_dense, FlopsPerSecond{1978e12});
  EXPECT_EQ(h100.memory, Bytes{81559.0 * 1048576.0});  // what nvidia-smi reports
  EXPECT_EQ(h100.memory_bandwidth, BytesPerSecond{3350e9});
  EXPECT_EQ(h100.link, BytesPerSecond{450e9});
  EXPECT_EQ(h100.power, Watts{700.0});
  EXPECT_FALSE(h100.links_through_host());
}

TEST(DeviceCatalogue, DoesNotTakeAnA10GForAnA10) {
  const Device& a10g = *find_device("A10G-24");
  const Device& a10 = *find_device("A10-24");
  EXPECT_EQ(a10g.bf16_dense, FlopsPerSecond{70e12});
  EXPECT_EQ(a10.bf16_dense, FlopsPerSecond{125e12});
  EXPECT_EQ(a10g.memory_bandwidth, a10.memory_bandwidth);
  EXPECT_FALSE(a10g.has_fp8());
  EXPECT_TRUE(a10g.links_through_host());
}

TEST(DeviceCatalogue, LeavesUnknownPriceAndPowerAbsent) {
  EXPECT_FALSE(find_device("TPU-v5e-16")->power.has_value());
  EXPECT_FALSE(find_device("MI300X-192")->usd_per_hour.has_value());
  EXPECT_EQ(find_device("RTX4090-24")->cross_checked, CrossCheck::no);
}

// No accelerator of this table needs fewer than 50 or more than 600 operations per byte to leave
// its bandwidth bound; a sparse figure or a slip of a power of ten leaves that band.
TEST(DeviceCatalogue, HasAPlausibleRidgePointOnEveryRow) {
  for (const Device& device : devices()) {
    const double ridge = device.bf16_dense.value() / device.memory_bandwidth.value();
    EXPECT_GT(ridge, 50.0) << device.name;
    EXPECT_LT(ridge, 600.0) << device.name;
    EXPECT_GE(device.link, device.pcie) << device.name;
  }
}

TEST(EngineFamily, IsFoundByItsSpellingOnly) {
  EXPECT_EQ(find_engine_family("vllm"), EngineFamily::vllm);
  EXPECT_EQ(find_engine_family("sglang"), EngineFamily::sglang);
  EXPECT_EQ(find_engine_family("trtllm"), EngineFamily::trtllm);
  EXPECT_FALSE(find_engine_family("vLLM").has_value());
}

TEST(AllReduce, CostsNothingInAGroupOfOne) {
  EXPECT_EQ(all_reduce(*find_device("H100-SXM-80"), 1).time(Bytes{1e6}), Seconds{0.0});
}

// Two H100: 2 (2 - 1) / 2 = 1 crossing at 0.463 of 450 GB/s: 4.26 us + 2 MiB / 208.35 GB/s. The
// table has 12.45 us for 2^20 two-byte elements, and 884.2 us for 2^27 (another kernel).
TEST(AllReduce, OfTwoIsLatencyPlusOneCrossing) {
  const AllReduce reduce = all_reduce(*find_device("H100-SXM-80"), 2);
  const double small = reduce.time(Bytes{2097152.0}).count() * 1e6;
  EXPECT_NEAR(small, 4.26 + 2097152.0 / 208.35e3, 1e-9);
  EXPECT_NEAR(small, 12.45, 0.16 * 12.45);
  EXPECT_NEAR(reduce.time(Bytes{268435456.0}).count() * 1e6, 884.2, 0.1 * 884.2);
}

// aiconfigurator, L40S, 2^22 elements: 0.450, 3.322 and 8.168 ms for 2, 4 and 8 devices.
TEST(AllReduce, OverPcieDegradesWithTheGroupAsMeasured) {
  const Device& l40s = *find_device("L40S-48");
  const double measured[] = {0.449949e-3, 3.32184e-3, 8.16754e-3};
  const std::uint32_t groups[] = {2, 4, 8};
  for (int i = 0; i < 3; ++i) {
    const double ratio = all_reduce(l40s, groups[i]).time(Bytes{8388608.0}).count() / measured[i];
    EXPECT_NEAR(ratio, 1.0, 0.05) << groups[i];
  }
}

}  // namespace
}  // namespace specroute::models

/// @file
/// The device catalogue: datasheet facts of 18 accelerators, each with its source.
///
/// Two traps are settled here. Peak rates are *dense*: datasheets print twice that, with structured
/// sparsity. And an A10G is not an A10: the same chip at 70 dense TFLOP/s instead of 125.
/// Memory is what the driver reports where a source has it (an "80 GB" H100 has 81,559 MiB = 85.5
/// decimal gigabytes, a "24 GB" A10G 23,028 MiB), else the datasheet's decimal gigabytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <specroute/vocab/units.hpp>

namespace specroute::models {

/// What kind of chip and memory; it selects the kernel efficiencies (overheads.hpp).
enum class Generation : std::uint8_t {
  volta,
  turing,
  ampere_hbm,   ///< A100
  ampere_gddr,  ///< A10, A10G
  ada,
  hopper,
  blackwell,
  cdna3,
  gaudi3,
  tpu_v5e,
};

/// How far the facts of a row were verified against a second source.
enum class CrossCheck : std::uint8_t { yes, partly, no };

/// One accelerator as its datasheet has it. Rates are peaks, reached by no program.
struct Device {
  std::string_view name;
  Generation generation;
  FlopsPerSecond bf16_dense;  ///< fp16 on Volta and Turing, which have no bf16
  FlopsPerSecond fp8_dense;   ///< 0 without 8-bit floating point: weights are stored in one byte
                              ///< and computed with at `bf16_dense` (weight-only quantisation)
  Bytes memory;
  BytesPerSecond memory_bandwidth;
  Bytes last_level_cache;  ///< L2; working sets below it are read faster by a repeated kernel
  BytesPerSecond link;     ///< to the neighbours, one direction; equal to `pcie` where it is PCIe
  BytesPerSecond pcie;     ///< to the host, one direction
  std::optional<Watts> power;          ///< rated board power; none where no source gives it
  std::optional<double> usd_per_hour;  ///< on-demand list price; none where none was found
  CrossCheck cross_checked;
  std::string_view source;

  /// Whether 8-bit floating point runs at a rate of its own.
  [[nodiscard]] constexpr bool has_fp8() const { return fp8_dense.value() > 0.0; }
  /// Whether tensor parallelism crosses the host's PCIe instead of a link of its own.
  [[nodiscard]] constexpr bool links_through_host() const { return link <= pcie; }
};

/// All devices, by name in the order of the catalogue; their names serve "did you mean".
[[nodiscard]] std::span<const Device> devices();

/// The device of that exact name, or null.
[[nodiscard]] const Device* find_device(std::string_view name);

}  // namespace specroute::models

/// @file
/// The requests of one class as they come, and what each asks for.
///
/// Draws are the class's own (of a closed loop, each user's own), so no decision of a router
/// changes who comes next or what they want. Nothing is allocated for a request.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "models/random/stream.hpp"
#include "models/workload/arrival_process.hpp"
#include "models/workload/lengths.hpp"
#include "models/workload/prefix_blocks.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

inline constexpr std::uint32_t kNoTenant = std::numeric_limits<std::uint32_t>::max();

/// What one request asks for besides what its class says.
struct Asked {
  std::uint32_t prompt_tokens = 1;
  std::uint32_t output_tokens = 1;  ///< at which it would end by itself
  std::uint32_t limit_tokens = 1;   ///< at which the engine cuts it off
  models::PrefixHandle prefix;
  std::uint64_t session = 0;  ///< from 1, unlike those of any other class; 0: none
  std::uint32_t tenant = kNoTenant;
};

/// What the replications share of a class's traffic.
struct PreparedTraffic {
  models::LengthDistribution prompt;
  models::LengthDistribution output;
  std::vector<std::uint32_t> tenants;          ///< of the class or its trace, among the scenario's
  std::vector<double> tenant_weights;          ///< cumulated; empty where nothing is drawn
  std::vector<models::PrefixHandle> prefixes;  ///< by row of its trace
};

/// Traffic of every class. Chains of block hashes go into `prefixes`. Classes that play one file
/// share its chains; hashes of different files are not told apart.
[[nodiscard]] std::vector<PreparedTraffic> prepare_traffic(const Scenario& scenario,
                                                           models::PrefixTable& prefixes);

class ClassArrivals {
 public:
  /// All arguments but the seed outlive this.
  ClassArrivals(const Scenario& scenario, ClassId id, const PreparedTraffic& traffic,
                const models::Seed& seed);

  /// The date of the next request that comes by itself; none before the horizon, or none at all.
  [[nodiscard]] std::optional<Seconds> next();
  /// What the request at that date asks for. Once for each `next` that gave a date.
  [[nodiscard]] Asked take();

  /// Users of a closed loop; 0 of any other class.
  [[nodiscard]] std::uint32_t users() const { return static_cast<std::uint32_t>(users_.size()); }
  /// When a user first asks.
  [[nodiscard]] Seconds first_asks(std::uint32_t user);
  /// How long a user who has just got an end thinks.
  [[nodiscard]] Seconds thinks(std::uint32_t user);
  [[nodiscard]] Asked asks(std::uint32_t user);

  /// Rows of the trace that have come, in all its passes.
  [[nodiscard]] std::uint64_t played() const { return played_; }

 private:
  struct User {
    models::Stream stream;
    std::uint32_t tenant;
  };
  [[nodiscard]] Asked drawn(models::Stream& lengths) const;
  [[nodiscard]] Asked row() const;
  [[nodiscard]] std::uint32_t draw_tenant(models::Stream& stream) const;
  [[nodiscard]] std::optional<Seconds> next_row();
  [[nodiscard]] std::uint64_t session(std::uint64_t local) const {
    return local == 0 ? 0 : (std::uint64_t{id_.value} + 1) << 32U | local;
  }

  const RequestClass& class_;
  const PreparedTraffic& traffic_;
  ClassId id_;
  Seconds horizon_;
  models::ArrivalProcess open_;
  models::Stream lengths_;
  models::Stream tenants_;
  std::vector<User> users_;
  std::size_t next_row_ = 0;
  std::size_t row_ = 0;  ///< the one that came last
  std::uint64_t pass_ = 0;
  std::uint64_t played_ = 0;
};

}  // namespace specroute::sim

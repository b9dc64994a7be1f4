/// @file
/// Makes the events of a script, one kind after the other.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "sim/replay/script.hpp"
#include "sim/replay/services.hpp"

namespace specroute::sim {

class ScriptWriter {
 public:
  ScriptWriter(const Mapping& mapping, const Telemetry& telemetry, std::vector<Service> services);

  /// Sorts each window in. False where two pairings claim it at once: `fault()` says which.
  bool take_windows(std::vector<EngineWindow> windows);
  [[nodiscard]] const Diagnostic& fault() const { return fault_; }

  /// All events by date.
  [[nodiscard]] Script finish();
  [[nodiscard]] Script& script() { return script_; }

 private:
  /// Whether a window can be a service's own.
  enum class Fit { own, straddles, outside };

  /// At one date, in this order.
  enum class Rank { beginning, window, handover, change };

  [[nodiscard]] bool claims(const Service& service, const Labels& labels) const;
  [[nodiscard]] Fit fit(const Service& service, const EngineWindow& window) const;
  bool take_window(EngineWindow& window);
  void send_window(const Service& service, EngineWindow& window);
  void mark_reset(const Service& service, const EngineWindow& window);
  bool from_ratio(const Service& service, EngineWindow& window);
  srp_ev_window& window_at(const Service& service, const EngineWindow& window, bool reset);

  void bind(const Service& service);
  void unbind(const Service& service);
  void failover(const Service& service);
  void sampling(const SamplingChange& change);
  void candidate(const MappedCandidate& candidate, UnixTime beginning);
  void name_all();

  /// The backend as it serves the pairing's profile at that date.
  [[nodiscard]] srp_side side_at(std::size_t backend, std::size_t profile, UnixTime at) const;
  [[nodiscard]] bool changes_within(std::size_t backend, UnixTime from, UnixTime to) const;

  template <class Event>
  void add(Event& event, std::uint16_t type, UnixTime at, Rank rank);

  struct Pending {
    srp_ev_window event{};
    Origin origin;
  };
  using WindowKey =
      std::tuple<UnixTime, std::uint64_t, bool, UnixTime>;  // to, service, counts, from

  const Mapping& mapping_;
  const Telemetry& telemetry_;
  std::vector<Service> services_;
  Script script_;
  Diagnostic fault_;
  std::map<WindowKey, Pending> windows_;
  std::vector<std::tuple<UnixTime, Rank, ScriptEvent>> events_;
};

}  // namespace specroute::sim

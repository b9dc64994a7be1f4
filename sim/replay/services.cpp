#include "sim/replay/services.hpp"

#include <algorithm>

namespace specroute::sim {
namespace {

class Timeline {
 public:
  Timeline(const Mapping& mapping, UnixTime beginning) : mapping_(mapping) {
    for (std::size_t p = 0; p < mapping.pairings.size(); ++p) {
      const MappedPairing& pairing = mapping.pairings[p];
      if (!pairing.from && follows_first(p)) continue;
      Service service = next(p, pairing.from.value_or(beginning));
      if (pairing.to) service.end = *pairing.to;
      services_.push_back(service);
    }
  }

  Result<std::vector<Service>> all() {
    for (const Succession& one : mapping_.successions) succeed(one);
    if (!faults_.empty()) return faults_;
    std::ranges::stable_sort(services_, {}, &Service::begin);
    return services_;
  }

 private:
  Service next(std::size_t pairing, UnixTime begin) {
    Service service;
    service.id = services_.size() + 1;
    service.pairing = pairing;
    service.begin = begin;
    return service;
  }

  /// Whether the first that is said of the pairing is that it took over.
  [[nodiscard]] bool follows_first(std::size_t pairing) const {
    const auto first = std::ranges::find_if(mapping_.successions, [&](const Succession& one) {
      return one.from == pairing || one.to == pairing;
    });
    return first != mapping_.successions.end() && first->to == pairing;
  }

  Service* serving(std::size_t pairing, UnixTime at) {
    const auto found = std::ranges::find_if(services_, [&](const Service& one) {
      return one.pairing == pairing && one.begin < at && at <= one.end;
    });
    return found == services_.end() ? nullptr : &*found;
  }

  void succeed(const Succession& one) {
    Service* from = serving(one.from, one.at);
    if (from == nullptr) return fault(one, "/from", one.from, "a pairing that serves at that date");
    if (serving(one.to, one.at) != nullptr)
      return fault(one, "/to", one.to, "a pairing that does not serve yet");
    from->end = one.at;
    Service service = next(one.to, one.at);
    service.after = &one;
    service.from_service = from->id;
    if (const auto& to = mapping_.pairings[one.to].to; to && *to > one.at) service.end = *to;
    services_.push_back(service);
  }

  void fault(const Succession& one, const char* key, std::size_t pairing, const char* expected) {
    faults_.push_back({.file = {},
                       .place = one.pointer + key,
                       .expected = expected,
                       .found = '"' + mapping_.pairings[pairing].name + '"',
                       .nearest = {}});
  }

  const Mapping& mapping_;
  std::vector<Service> services_;
  Diagnostics faults_;
};

}  // namespace

Result<std::vector<Service>> services_of(const Mapping& mapping, UnixTime beginning) {
  return Timeline(mapping, beginning).all();
}

}  // namespace specroute::sim

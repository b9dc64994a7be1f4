/// @file
/// A host that makes up its events: each random word becomes a short scene (a burst of windows, a
/// fail-over with its binds, a restart ...) in a small fleet whose truth the host keeps. All event
/// types occur, and what a router should not send as well: ids that never existed, counts that
/// cannot be, dates that fall.
#pragma once

#include <specroute/policy_abi.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace specroute::router::test {

/// Room for one record of any type, as bytes.
struct AnyEvent {
  alignas(8) std::array<std::byte, 512> bytes{};

  template <class Event>
  static AnyEvent of(const Event& event) {
    static_assert(sizeof(Event) <= sizeof(AnyEvent));
    AnyEvent made;
    std::memcpy(made.bytes.data(), &event, sizeof event);
    return made;
  }
  [[nodiscard]] const srp_record& head() const {
    return reinterpret_cast<const srp_record&>(*bytes.data());
  }
  /// As its type says.
  template <class Event>
  [[nodiscard]] const Event& as() const {
    return reinterpret_cast<const Event&>(*bytes.data());
  }
  template <class Event>
  Event& as() {
    return reinterpret_cast<Event&>(*bytes.data());
  }
};

using Story = std::vector<AnyEvent>;

/// One line for a reader, the date in seconds: "3.25 window 2/1 900/1000 draft 2 stale".
std::string tell(const AnyEvent& event);

/// Draws a number below `n` from a word, and divides the word by `n`.
inline std::uint64_t draw(std::uint64_t& word, std::uint64_t n) {
  const std::uint64_t drawn = word % n;
  word /= n;
  return drawn;
}

class RandomHost {
 public:
  /// Starts with one pairing bound for profile 1; every scene appends to `story`.
  explicit RandomHost(Story& story);

  /// The next scene, as `word` has it: up to ten events.
  void scene(std::uint64_t word);

 private:
  struct Backend {
    std::uint64_t incarnation = 1;
    std::array<std::uint64_t, 3> params{};  ///< by profile, 1 and 2
    std::uint32_t known = 0;
    std::uint32_t provenance = SRP_LIVE;
    std::uint64_t tokenizer = 11;
  };
  struct Pairing {
    std::uint64_t id = 0;
    std::uint64_t draft = 0;
    std::uint64_t target = 0;
    std::uint64_t profiles = 1;  ///< 1, or 1 and 2
    std::uint64_t level = 410;   ///< acceptance, per mille
    srp_ns reported_to = 0;      ///< end of the latest window
  };

  template <class Event>
  void send(Event event);
  [[nodiscard]] srp_side side_of(std::uint64_t backend, std::uint64_t profile) const;
  void bind(const Pairing& pairing, std::uint32_t forward, bool claimed);
  void unbind(std::size_t at);
  Pairing& some_pairing(std::uint64_t& word);
  std::uint64_t some_backend(std::uint64_t& word) const;

  void serve(std::uint64_t word);
  void send_window(Pairing& pairing, std::uint64_t word, srp_ns lasts);
  void fail_over(std::uint64_t word);
  void bind_anew(std::uint64_t word);
  void tell_of_candidate(std::uint64_t word);
  void change_sampling(std::uint64_t word);
  void override_both(const Pairing& pairing, std::uint64_t word);
  void disturb_backend(std::uint64_t word);
  void report_outcomes(std::uint64_t word);
  void answer_decision(std::uint64_t word);
  void misbehave(std::uint64_t word);

  Story* story_;
  srp_ns now_ = 0;
  std::uint64_t seq_ = 0;
  std::uint64_t next_pairing_ = 1;
  std::map<std::uint64_t, Backend> backends_;
  std::vector<Pairing> pairings_;
};

/// The story of these words, one scene each.
Story story_of(const std::vector<std::uint64_t>& words);

/// `scenes` words of the sequence that `seed` begins: SplitMix64.
/// @source Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
std::vector<std::uint64_t> random_words(std::uint64_t seed, std::size_t scenes);

/// A configuration of the gate on the scale of these stories: cool-downs of 3 s, quarantines of
/// 2 s, and as few windows, requests and verdicts as make it speak.
/// @param version params_hash_version, of gates that have one
std::string small_config(const std::string& gate, int version = 1);

}  // namespace specroute::router::test

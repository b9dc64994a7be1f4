#include "router/snapshot.hpp"

#include <bit>
#include <cstring>
#include <optional>
#include <span>

#include "router/sound_state.hpp"

namespace specroute::router {
namespace {

constexpr std::uint64_t kMagic = 0x34'50'41'4e'53'50'52'53;  // "SRPSNAP4" in little-endian bytes

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t digest = 0;  ///< state_digest() of what follows
  std::uint64_t last_now = 0;
  std::uint64_t next_decision = 0;
  std::uint32_t rows = 0;
  std::uint32_t failovers = 0;
  std::uint32_t baselines = 0;
  std::uint32_t candidates = 0;
};

/// Mixes 64-bit words; every part is a multiple of 8 bytes.
class Digest {
 public:
  void add(const void* bytes, std::size_t size) {
    const auto* at = static_cast<const std::byte*>(bytes);
    for (std::size_t i = 0; i + 8 <= size; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at + i, 8);
      value_ = std::rotl(value_ ^ (word * 0x9e3779b97f4a7c15U), 29) * 0xbf58476d1ce4e5b9U;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_ ^ (value_ >> 31U); }

 private:
  std::uint64_t value_ = 0x243f6a8885a308d3U;  // the first digits of pi
};

Header header_of(const srp_policy& policy) {
  Header header;
  header.last_now = policy.last_now;
  header.next_decision = policy.next_decision;
  header.rows = policy.binds.rows.size;
  header.failovers = policy.failovers.size;
  header.baselines = policy.baselines.book.size;
  header.candidates = policy.candidates.candidates.size;
  return header;
}

/// Calls `use(bytes, size)` for each table's items, in the order of a snapshot.
template <class Use>
void for_each_part(const srp_policy& policy, Use use) {
  const auto part = [&use](const auto& table) {
    use(static_cast<const void*>(table.items), table.size * sizeof(*table.items));
  };
  part(policy.binds.rows);
  part(policy.failovers);
  part(policy.baselines.book);
  part(policy.candidates.candidates);
}

std::size_t payload_bytes(const Header& header) {
  return header.rows * sizeof(BindRow) + header.failovers * sizeof(FailoverNote) +
         header.baselines * sizeof(Baseline) + header.candidates * sizeof(Candidate);
}

std::uint64_t digest_of(const Config& config, Header header, const std::byte* payload) {
  header.digest = 0;
  Digest digest;
  digest.add(&config, sizeof config);
  digest.add(&header, sizeof header);
  digest.add(payload, payload_bytes(header));
  return digest.value();
}

bool fits(const srp_policy& policy, const Header& header) {
  return header.rows <= policy.binds.rows.capacity &&
         header.failovers <= policy.failovers.capacity &&
         header.baselines <= policy.baselines.book.capacity &&
         header.candidates <= policy.candidates.candidates.capacity;
}

template <class Item>
void take(Table<Item>& table, std::uint32_t size, const std::byte*& from) {
  if (size != 0) std::memcpy(static_cast<void*>(table.items), from, size * sizeof(Item));
  table.size = size;
  from += size * sizeof(Item);
}

/// Calls `is_sound(item, the one before)` for each item of a table in the snapshot, until one is
/// not.
template <class Item, class IsSound>
bool all_sound(const std::byte*& from, std::uint32_t size, IsSound is_sound) {
  bool sound = true;
  std::optional<Item> before;
  for (std::uint32_t i = 0; i < size && sound; ++i, from += sizeof(Item)) {
    Item item;
    std::memcpy(static_cast<void*>(&item), from, sizeof item);
    sound = is_sound(item, before ? &*before : nullptr);
    before = item;
  }
  return sound;
}

/// What in a whole snapshot an instance could never have written; empty for nothing.
std::string_view fault_of(const srp_policy& policy, const Header& header, const std::byte* from) {
  if (header.last_now >= SRP_FOREVER - 1 || header.next_decision == 0)
    return "the snapshot's clock or count cannot be";
  const bool rows = all_sound<BindRow>(from, header.rows, [&](const auto& row, const auto* before) {
    return is_sound(row, before, header.baselines) && has_sound_tally(row, *policy.gate);
  });
  if (!rows) return "the snapshot has a pairing that cannot be";
  from += header.failovers * sizeof(FailoverNote);
  if (!all_sound<Baseline>(from, header.baselines,
                           [](const auto& one, const auto*) { return is_sound(one); }))
    return "the snapshot has a baseline that cannot be";
  if (!all_sound<Candidate>(from, header.candidates, [](const auto& one, const auto* before) {
        return before == nullptr || comes_before(*before, one);
      }))
    return "the snapshot has its candidates out of order";
  return {};
}

}  // namespace

void seal_snapshot(const srp_policy& policy, std::byte* bytes, std::size_t len) {
  Header header;
  if (len < sizeof header) return;
  std::memcpy(&header, bytes, sizeof header);
  if (!fits(policy, header) || len - sizeof header != payload_bytes(header)) return;
  header.digest = digest_of(policy.config, header, bytes + sizeof header);
  std::memcpy(bytes, &header, sizeof header);
}

std::uint64_t state_digest(const srp_policy& policy) {
  const Header header = header_of(policy);
  Digest digest;
  digest.add(&policy.config, sizeof policy.config);
  digest.add(&header, sizeof header);
  for_each_part(policy, [&](const void* bytes, std::size_t size) { digest.add(bytes, size); });
  return digest.value();
}

std::size_t snapshot_bytes(const srp_policy& policy) {
  return sizeof(Header) + payload_bytes(header_of(policy));
}

void write_snapshot(const srp_policy& policy, std::byte* to) {
  Header header = header_of(policy);
  header.digest = state_digest(policy);
  std::memcpy(to, &header, sizeof header);
  to += sizeof header;
  for_each_part(policy, [&](const void* bytes, std::size_t size) {
    if (size != 0) std::memcpy(to, bytes, size);
    to += size;
  });
}

std::string_view read_snapshot(srp_policy& policy, const std::byte* from, std::size_t len) {
  Header header;
  if (len < sizeof header) return "a snapshot is longer";
  std::memcpy(&header, from, sizeof header);
  from += sizeof header;
  if (header.magic != kMagic) return "not a snapshot of this version and byte order";
  if (!fits(policy, header)) return "the snapshot is larger than the configured capacities";
  if (len - sizeof header != payload_bytes(header)) return "the snapshot was cut or extended";
  if (digest_of(policy.config, header, from) != header.digest)
    return "the snapshot is damaged, or of another configuration";
  if (const auto why = fault_of(policy, header, from); !why.empty()) return why;
  policy.last_now = header.last_now;
  policy.next_decision = header.next_decision;
  take(policy.binds.rows, header.rows, from);
  take(policy.failovers, header.failovers, from);
  take(policy.baselines.book, header.baselines, from);
  take(policy.candidates.candidates, header.candidates, from);
  policy.binds.index_rows();
  policy.fleets.make_anew(policy.binds.rows.all());
  return {};
}

}  // namespace specroute::router

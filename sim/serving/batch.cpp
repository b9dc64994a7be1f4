#include "sim/serving/batch.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <specroute/vocab/check.hpp>

#include "models/random/threshold.hpp"

namespace specroute::sim {
namespace {

/// Sequences whose draws are made together; four columns of words stay in the first-level cache.
constexpr std::uint32_t kChunk = 256;
constexpr Seconds kNever{std::numeric_limits<double>::infinity()};

struct Words {
  alignas(64) std::uint32_t accept[kChunk];
  alignas(64) std::uint32_t loop[kChunk];
  alignas(64) std::uint32_t schema[kChunk];
  alignas(64) std::uint32_t corruption[kChunk];
};

/// The first time of each cause counts, and the earliest cause of all carries the blame.
void blame(Sequence& sequence, DegradationCause cause, PairingId& culprit, const StepInput& input) {
  if (culprit.exists()) return;
  culprit = input.pairing;
  if (sequence.first_cause != DegradationCause::none) return;
  sequence.first_cause = cause;
  sequence.blamed = input.circumstance;
}

}  // namespace

Batch::Batch(std::uint32_t capacity, const LoopWatch& watch, RowLayout layout)
    : watch_(watch),
      layout_(std::move(layout)),
      earliest_deadline_(kNever),
      request_low_(capacity),
      request_high_(capacity),
      emitted_(capacity),
      length_(capacity),
      pause_(capacity),
      row_(capacity),
      prompt_(capacity),
      limit_(capacity),
      cold_(capacity) {
  noted_.reserve(capacity);
  leaving_.reserve(capacity);
}

void Batch::join(const Sequence& sequence) {
  check(size_ < cold_.size(), "a sequence joins a batch only below its capacity");
  check(sequence.emitted < sequence.length, "a joining sequence has tokens left to emit");
  const std::uint32_t i = size_++;
  request_low_[i] = static_cast<std::uint32_t>(sequence.request.value);
  request_high_[i] = static_cast<std::uint32_t>(sequence.request.value >> 32U);
  emitted_[i] = sequence.emitted;
  length_[i] = sequence.length;
  row_[i] = sequence.row;
  prompt_[i] = sequence.prompt_tokens;
  limit_[i] = sequence.limit;
  shared_hashes_ += sequence.shared_hashes;
  cold_[i] = sequence;
  place(i);
  ++kind_size(row_[i]);
  context_tokens_ += sequence.context();
  earliest_deadline_ = std::min(earliest_deadline_, sequence.deadline);
}

std::uint32_t& Batch::kind_size(TrafficRow row) {
  const std::uint32_t kind = layout_.kind_of(row);
  if (kind >= kind_sizes_.size()) kind_sizes_.resize(kind + 1, 0);
  return kind_sizes_[kind];
}

void Batch::place(std::uint32_t index) {
  const std::uint32_t prompt = cold_[index].prompt_tokens;
  const std::uint32_t range = layout_.range_of(prompt + emitted_[index]);
  row_[index] = layout_.in_range(row_[index], range);
  pause_[index] = std::min(length_[index], layout_.end_of(range) - prompt);
}

std::uint64_t Batch::kv_blocks(std::uint32_t ahead, std::uint32_t block_tokens,
                               std::uint32_t hash_blocks) const {
  std::uint64_t blocks = 0;
  for (std::uint32_t i = 0; i < size_; ++i)
    blocks +=
        (prompt_[i] + std::min(emitted_[i] + ahead, limit_[i]) + block_tokens - 1) / block_tokens;
  return blocks - shared_hashes_ * hash_blocks;
}

std::uint64_t Batch::kv_blocks_stored(std::uint32_t block_tokens, std::uint32_t hash_blocks) const {
  std::uint64_t blocks = 0;
  for (std::uint32_t i = 0; i < size_; ++i)
    blocks += (prompt_[i] + emitted_[i] + block_tokens - 2) / block_tokens;
  return blocks - shared_hashes_ * hash_blocks;
}

std::uint64_t Batch::kv_blocks_reserved(std::uint32_t block_tokens,
                                        std::uint32_t hash_blocks) const {
  std::uint64_t blocks = 0;
  for (std::uint32_t i = 0; i < size_; ++i)
    blocks += (prompt_[i] + limit_[i] + block_tokens - 1) / block_tokens;
  return blocks - shared_hashes_ * hash_blocks;
}

CappedDrafts Batch::capped_drafts(std::uint32_t gamma) const {
  CappedDrafts drafts;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const std::uint32_t own = std::min(gamma, limit_[i] - emitted_[i] - 1);
    drafts.total += own;
    drafts.longest = std::max(drafts.longest, own);
  }
  return drafts;
}

std::uint32_t Batch::latest_index() const {
  std::uint32_t latest = 0;
  for (std::uint32_t i = 1; i < size_; ++i)
    if (cold_[i].request > cold_[latest].request) latest = i;
  return latest;
}

RequestId Batch::latest() const {
  return size_ == 0 ? RequestId{} : cold_[latest_index()].request;
}

Sequence Batch::take_latest() {
  check(size_ > 0, "only a batch with sequences has a latest");
  const std::uint32_t index = latest_index();
  const Sequence sequence = take(index);
  remove(index);
  return sequence;
}

template <std::uint32_t kGamma, bool kCapped>
std::uint64_t Batch::step_chunk(const StepInput& input, std::uint32_t begin, std::uint32_t end) {
  Words words;
  models::philox_batch(
      input.key,
      {request_low_.data() + begin, request_high_.data() + begin, emitted_.data() + begin, 0},
      {words.accept, words.loop, words.schema, words.corruption}, end - begin);
  const StepRow* const rows = input.tables.rows.data();
  const std::uint32_t gamma = kGamma <= 4 ? kGamma : input.tables.draft_tokens;
  std::uint64_t total = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    const StepRow& row = rows[row_[i]];
    const std::uint32_t w = i - begin;
    std::uint32_t accepted = 0;
    for (std::uint32_t k = 0; k < gamma; ++k)
      accepted += models::hits(words.accept[w], row.accepted[k]);
    if constexpr (kCapped) {
      const std::uint32_t drafted = std::min(gamma, limit_[i] - emitted_[i] - 1);
      accepted = std::min(accepted, drafted);
      input.counts[row_[i]].not_drafted += gamma - drafted;
    }
    const std::uint32_t remaining = length_[i] - emitted_[i];
    const std::uint32_t tokens = std::min(accepted + 1, remaining);
    ++input.counts[row_[i]].steps_accepting[accepted];
    emitted_[i] += tokens;
    total += tokens;
    const bool loop = models::hits(words.loop[w], row.loop[tokens - 1]);
    const bool schema = models::hits(words.schema[w], row.schema[tokens - 1]);
    const bool corruption = models::hits(words.corruption[w], row.corruption[tokens - 1]);
    if (loop | schema | corruption | (emitted_[i] >= pause_[i])) [[unlikely]]
      noted_.push_back({i, loop, schema, corruption});
  }
  return total;
}

std::uint64_t Batch::advance(const StepInput& input, std::vector<Sequence>& finished) {
  std::uint64_t total = 0;
  for (std::uint32_t begin = 0; begin < size_; begin += kChunk) {
    const std::uint32_t end = std::min(begin + kChunk, size_);
    if (input.capped) {
      total += step_chunk<kMaxDraftTokens, true>(input, begin, end);
      continue;
    }
    switch (input.tables.draft_tokens) {
      case 0:
        total += step_chunk<0>(input, begin, end);
        break;
      case 1:
        total += step_chunk<1>(input, begin, end);
        break;
      case 2:
        total += step_chunk<2>(input, begin, end);
        break;
      case 3:
        total += step_chunk<3>(input, begin, end);
        break;
      case 4:
        total += step_chunk<4>(input, begin, end);
        break;
      default:
        total += step_chunk<kMaxDraftTokens>(input, begin, end);
    }
  }
  context_tokens_ += total;
  settle(input, finished);
  return total;
}

void Batch::settle(const StepInput& input, std::vector<Sequence>& finished) {
  for (const Noted& note : noted_) {
    Sequence& cold = cold_[note.index];
    // Within one step a violation or a corruption is there with its token, a loop from the next on.
    if (note.schema) blame(cold, DegradationCause::schema, cold.schema_pairing, input);
    if (note.corruption) blame(cold, DegradationCause::corruption, cold.corruption_pairing, input);
    if (note.loop) turn(note.index, input);
    if (emitted_[note.index] == length_[note.index])
      leaving_.push_back(note.index);
    else
      place(note.index);
  }
  noted_.clear();
  for (const std::uint32_t index : leaving_) finished.push_back(take(index));
  for (auto last = leaving_.rbegin(); last != leaving_.rend(); ++last) remove(*last);
  leaving_.clear();
}

/// Into a loop, or out of one: there it takes up its text where the loop broke in.
void Batch::turn(std::uint32_t index, const StepInput& input) {
  Sequence& cold = cold_[index];
  const std::uint32_t emitted = emitted_[index];
  const bool escapes = is_looping(row_[index]);
  if (escapes && emitted == length_[index]) return;  // too late: it ends with this token
  if (escapes) {
    length_[index] = std::max(std::min(cold.limit, emitted + cold.unsaid), emitted);
  } else {
    blame(cold, DegradationCause::loop, cold.loop_pairing, input);
    cold.loop_entered = emitted;
    cold.unsaid = length_[index] - emitted;
    length_[index] = std::max(watch_.length(emitted, cold.limit), emitted);
  }
  row_[index] ^= 1U;
}

Sequence Batch::take(std::uint32_t index) const {
  Sequence sequence = cold_[index];
  sequence.emitted = emitted_[index];
  sequence.length = length_[index];
  sequence.row = row_[index];
  return sequence;
}

void Batch::remove(std::uint32_t index) {
  context_tokens_ -= cold_[index].prompt_tokens + emitted_[index];
  shared_hashes_ -= cold_[index].shared_hashes;
  --kind_size(row_[index]);
  const std::uint32_t last = --size_;
  request_low_[index] = request_low_[last];
  request_high_[index] = request_high_[last];
  emitted_[index] = emitted_[last];
  length_[index] = length_[last];
  pause_[index] = pause_[last];
  row_[index] = row_[last];
  prompt_[index] = prompt_[last];
  limit_[index] = limit_[last];
  cold_[index] = cold_[last];
}

void Batch::expire(Seconds now, std::vector<Sequence>& expired) {
  if (now < earliest_deadline_) return;
  earliest_deadline_ = kNever;
  for (std::uint32_t i = 0; i < size_;) {
    if (cold_[i].deadline <= now) {
      expired.push_back(take(i));
      remove(i);
    } else {
      earliest_deadline_ = std::min(earliest_deadline_, cold_[i].deadline);
      ++i;
    }
  }
}

std::optional<Sequence> Batch::withdraw(std::uint32_t slot) {
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (cold_[i].slot != slot) continue;
    const Sequence sequence = take(i);
    remove(i);
    return sequence;
  }
  return std::nullopt;
}

std::optional<Sequence> Batch::look_at(std::uint32_t slot) const {
  for (std::uint32_t i = 0; i < size_; ++i)
    if (cold_[i].slot == slot) return take(i);
  return std::nullopt;
}

void Batch::take_all(std::vector<Sequence>& out) {
  for (std::uint32_t i = 0; i < size_; ++i) out.push_back(take(i));
  size_ = 0;
  kind_sizes_.clear();
  context_tokens_ = 0;
  shared_hashes_ = 0;
  earliest_deadline_ = kNever;
}

}  // namespace specroute::sim

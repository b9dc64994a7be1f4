#include "sim/serving/batch.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/sim_serving/batch_fixture.hpp"

namespace specroute::sim {
namespace {

/// Tokens that one request has after each step of a batch.
std::vector<std::uint32_t> history_of(std::uint64_t request, SteppedBatch& b, int steps) {
  std::vector<std::uint32_t> history;
  for (int i = 0; i < steps; ++i) {
    b.step();
    std::vector<Sequence> all;
    b.batch.take_all(all);
    for (const Sequence& s : all) {
      if (s.request.value == request) history.push_back(s.emitted);
      b.batch.join(s);
    }
  }
  return history;
}

RC_GTEST_PROP(BatchProperty, ASequencesTokensDependOnItselfAlone, ()) {
  const auto neighbours = *rc::gen::unique<std::vector<std::uint64_t>>(
      rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 40U));
  const auto place = *rc::gen::inRange<std::size_t>(0, neighbours.size() + 1);
  SteppedBatch alone(tables_accepting({0.6, 0.4, 0.2}), 400);
  alone.batch.join(sequence_of(0, 100'000));
  SteppedBatch crowd(tables_accepting({0.6, 0.4, 0.2}), 400);
  for (std::size_t i = 0; i <= neighbours.size(); ++i) {
    if (i == place) crowd.batch.join(sequence_of(0, 100'000));
    if (i < neighbours.size()) crowd.batch.join(sequence_of(neighbours[i], 100'000));
  }
  RC_ASSERT(history_of(0, alone, 10) == history_of(0, crowd, 10));
}

RC_GTEST_PROP(BatchProperty, KeepsCountOfItsContextThroughJoinsStepsAndRemovals, ()) {
  StepTables tables = tables_accepting({0.7, 0.4});
  tables.rows[0].loop.fill(models::threshold_from_probability(0.05));
  SteppedBatch b(tables, 600);
  std::map<std::uint64_t, std::uint32_t> prompt_of_request;
  std::uint64_t next = 0, left = 0, emitted_total = 0, emitted_by_left = 0;
  const auto moves = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 8));
  double now = 0.0;
  for (const int move : moves) {
    now += 1.0;
    if (move < 4) {
      for (int i = 0; i < 5 && b.batch.size() < 600; ++i) {
        Sequence s = sequence_of(next, *rc::gen::inRange(1U, 20U));
        s.limit = s.length + 10;
        s.prompt_tokens = *rc::gen::inRange(1U, 50U);
        s.deadline = Seconds{now + *rc::gen::inRange(1, 40)};
        prompt_of_request[next++] = s.prompt_tokens;
        b.batch.join(s);
      }
    } else if (move < 7) {
      emitted_total += b.step();
      for (const Sequence& s : b.finished) emitted_by_left += s.emitted;
      left += b.finished.size();
      b.finished.clear();
    } else {
      std::vector<Sequence> expired;
      b.batch.expire(Seconds{now}, expired);
      for (const Sequence& s : expired) emitted_by_left += s.emitted;
      left += expired.size();
    }
    RC_ASSERT(b.batch.size() + left == next);
  }
  const std::uint64_t claimed = b.batch.context_tokens();
  std::vector<Sequence> rest;
  b.batch.take_all(rest);
  std::uint64_t context = 0;
  for (const Sequence& s : rest) {
    RC_ASSERT(prompt_of_request.at(s.request.value) == s.prompt_tokens);
    RC_ASSERT(s.emitted < s.length);
    context += s.context();
    emitted_by_left += s.emitted;
  }
  RC_ASSERT(claimed == context);
  RC_ASSERT(emitted_by_left == emitted_total);
}

}  // namespace
}  // namespace specroute::sim

#include "tests/property/router/witness.hpp"

#include <algorithm>
#include <specroute/router/decision_name.hpp>
#include <specroute/router/policy.hpp>

namespace specroute::router::test {
namespace {

Story without(const Story& story, std::size_t from, std::size_t count) {
  Story rest(story.begin(), story.begin() + static_cast<std::ptrdiff_t>(from));
  const std::size_t next = std::min(story.size(), from + count);
  rest.insert(rest.end(), story.begin() + static_cast<std::ptrdiff_t>(next), story.end());
  return rest;
}

/// One pass over the story. @return whether anything was left out
bool leave_out(Invariant invariant, const Subject& subject, std::size_t size,
               const std::string& fault, Story& story) {
  bool shorter = false;
  for (std::size_t at = 0; at < story.size();) {
    Story rest = without(story, at, size);
    if (invariant(subject, rest).fault == fault) {
      story = std::move(rest);
      shorter = true;
    } else {
      at += size;
    }
  }
  return shorter;
}

}  // namespace

Story shortest(Invariant invariant, const Subject& subject, Story story, const std::string& fault) {
  for (std::size_t size = story.size() / 2; size > 0; size /= 2)
    leave_out(invariant, subject, size, fault, story);
  while (leave_out(invariant, subject, 1, fault, story)) {
  }
  return story;
}

std::string tell_with_answers(const Subject& subject, const Story& story) {
  auto policy = Policy::create(linked_module(), subject.config).value();
  std::string text;
  for (const AnyEvent& event : story) {
    text += tell(event);
    for (const srp_decision& decision : policy.on_record(event.head()).decisions)
      text +=
          "\n    " + std::string(decision_name(decision.h.type)) + " of " +
          std::to_string(decision.h.pairing) + '/' + std::to_string(decision.profile) + ", " +
          std::string(policy.reason_code(decision)) +
          (decision.h.type == SRP_LOCK ? ", reward " + std::to_string(decision.reward_ppm) + " ppm"
                                       : "");
    text += '\n';
  }
  return text;
}

}  // namespace specroute::router::test

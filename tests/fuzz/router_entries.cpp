#include "tests/fuzz/router_entries.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include <specroute/router/acceptance.hpp>
#include <specroute/vocab/check.hpp>

#include "router/snapshot.hpp"
#include "tests/fuzz/router_input.hpp"
#include "tests/fuzz/router_promises.hpp"

namespace specroute::fuzz {
namespace {

using router::test::Story;

/// Writes over up to seven places, and cuts or extends by up to eight bytes.
void damage(ByteReader& in, std::vector<std::byte>& bytes) {
  for (auto places = in.number(1) % 8; places > 0 && !bytes.empty(); --places) {
    const std::size_t at = in.number(3) % bytes.size();
    const std::uint64_t value = in.number(8);
    std::memcpy(bytes.data() + at, &value, std::min<std::size_t>(sizeof value, bytes.size() - at));
  }
  const auto length = in.number(1);
  if (length < 8) bytes.resize(bytes.size() - std::min<std::size_t>(length, bytes.size()));
  if (length > 247) bytes.resize(bytes.size() + length - 247);
}

}  // namespace

void router_events(std::string_view bytes) {
  ByteReader in(bytes);
  const std::string config = configuration(in);
  const Story story = records(in);
  PromisedPolicy lived(config);
  PromisedPolicy again(config);
  std::optional<PromisedPolicy> restored;
  for (std::size_t i = 0; i < story.size(); ++i) {
    const Reply reply = lived.send(story[i]);
    check(reply.same_as(again.send(story[i])), "the same events have the same answers");
    if (restored) check(reply.same_as(restored->send(story[i])), "and so after a restore");
    if (i == story.size() / 2) {
      restored.emplace(config);
      check(restored->restore(lived.snapshot()), "a snapshot is taken back");
      check(restored->digest() == lived.digest(), "with the digest that it was made at");
    }
  }
  check(lived.digest() == again.digest(), "the same events end in the same state");
  check(!restored || restored->digest() == lived.digest(), "and so after a restore");
}

void router_config(std::string_view bytes) {
  const srp_module& module = router::linked_module();
  std::array<char, 512> text{};
  srp_error error{sizeof error, static_cast<std::uint32_t>(text.size()), text.data(), 0, 0};
  const srp_str json{bytes.empty() ? "" : bytes.data(), bytes.size()};
  const auto valid = module.validate(json, &error);
  check(valid == SRP_OK || valid == SRP_E_CONFIG || valid == SRP_E_SPACE, "a code of validate");
  if (valid != SRP_OK) {
    check(error.len != 0 && error.len < text.size() && text[error.len] == '\0', "words, and a NUL");
    check(error.config_offset <= bytes.size(), "an offset within the text");
  }
  Lender lender;
  const srp_host host = lender.table();
  srp_policy* policy = nullptr;
  const auto made = module.create(&host, json, &policy, nullptr);
  check(made == valid || (valid == SRP_OK && made == SRP_E_SPACE), "create agrees with validate");
  check((policy != nullptr) == (made == SRP_OK), "an instance, or a refusal");
  module.destroy(policy);
}

void router_snapshot(std::string_view bytes) {
  ByteReader in(bytes);
  const std::string config = configuration(in);
  const auto kind = in.number(1);
  const auto seed = in.number(4);
  PromisedPolicy before(config);
  const Story story = router::test::story_of(router::test::random_words(seed, 16));
  for (const auto& event : story) before.send(event);
  auto snapshot = before.snapshot();
  if (kind < 32) {
    snapshot.clear();
    while (!in.empty()) snapshot.push_back(static_cast<std::byte>(in.number(1)));
  } else {
    damage(in, snapshot);
  }
  // A wrong sum would keep all else from being looked at.
  if (kind >= 96) router::seal_snapshot(before.instance(), snapshot.data(), snapshot.size());
  PromisedPolicy one(config);
  PromisedPolicy other(config);
  const bool taken = one.restore(snapshot);
  check(other.restore(snapshot) == taken, "a snapshot is taken or refused by what it says");
  for (const auto& event : router::test::story_of(router::test::random_words(seed + 1, 32)))
    check(one.send(event).same_as(other.send(event)), "the same events have the same answers");
}

}  // namespace specroute::fuzz

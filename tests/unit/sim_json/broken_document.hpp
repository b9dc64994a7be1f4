/// @file
/// JSON documents broken at random, to hold our schema reports to the validation library's verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sim/json/json_text.hpp"

namespace specroute::sim {

/// Draws without the standard distributions, which differ between libraries.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits_() % count); }

 private:
  std::mt19937_64 bits_;
};

inline void gather(JsonValue& value, std::vector<JsonValue*>& all) {
  all.push_back(&value);
  for (auto& item : value.items) gather(item, all);
  for (auto& member : value.members) gather(member.value, all);
}

inline JsonValue odd_value(Dice& dice) {
  static const std::vector<std::string> kTexts = {"null",       "true",
                                                  "false",      "-1",
                                                  "0",          "1",
                                                  "2",          "17",
                                                  "3.7",        "1.0",
                                                  "0.5",        "1e300",
                                                  "-1e-300",    "9007199254740993",
                                                  "\"\"",       "\"x\"",
                                                  "\"fixed\"",  "\"lognormal\"",
                                                  "\"logits\"", "\"argmax_agreement_rate\"",
                                                  "[]",         "{}",
                                                  "[1]",        "{\"kind\":\"fixed\"}"};
  return parse_json(kTexts[dice.below(kTexts.size())], "odd").value().root;
}

inline const std::string& odd_key(Dice& dice, const std::vector<std::string>& keys) {
  return keys[dice.below(keys.size())];
}

/// Breaks `root` once, in one of five ways.
/// @param keys what a member that is added may be called
inline void break_once(JsonValue& root, Dice& dice, const std::vector<std::string>& keys) {
  std::vector<JsonValue*> all;
  gather(root, all);
  JsonValue& victim = *all[dice.below(all.size())];
  const bool has_members = !victim.members.empty();
  const auto member = [&] {
    return victim.members.begin() + static_cast<std::ptrdiff_t>(dice.below(victim.members.size()));
  };
  switch (dice.below(5)) {
    case 0:
      if (has_members) victim.members.erase(member());
      break;
    case 1:
      if (has_members && victim.find("misspelt") == nullptr) member()->key = "misspelt";
      break;
    case 2: {
      const std::string key = odd_key(dice, keys);
      if (victim.kind == JsonValue::Kind::object && victim.find(key) == nullptr)
        victim.members.push_back({key, odd_value(dice)});
      break;
    }
    case 3:
      if (!victim.items.empty()) victim.items.push_back(JsonValue(victim.items.front()));
      break;
    default:
      victim = odd_value(dice);
  }
}

}  // namespace specroute::sim

/// @file
/// What a fuzzer throws at the router policy library, and what must hold whatever it is. A broken
/// promise aborts.
#pragma once

#include <string_view>

namespace specroute::fuzz {

/// Bytes as a configuration and events, hostile ones among them: every call keeps its promises
/// (router_promises.hpp), a second instance answers byte for byte alike, and so does a third that
/// is restored half-way.
void router_events(std::string_view bytes);

/// Bytes as the text of a configuration: validate and create agree, and a refusal has words and an
/// offset within the text.
void router_config(std::string_view bytes);

/// Bytes as a snapshot, or as damage to one, sealed again or not: it is refused and nothing
/// changes, or it is taken and the instance goes on keeping its promises.
void router_snapshot(std::string_view bytes);

}  // namespace specroute::fuzz

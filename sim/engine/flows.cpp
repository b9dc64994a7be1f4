#include "sim/engine/flows.hpp"

#include <cmath>
#include <deque>
#include <unordered_map>
#include <utility>

#include <simgrid/s4u.hpp>

#include <specroute/vocab/check.hpp>

#include "sim/engine/engine_access.hpp"

namespace specroute::sim {

namespace s4u = simgrid::s4u;

struct Flows::State {
  struct Grave {
    s4u::CommPtr flow;
    Seconds dug;
  };

  Platform& platform;
  OnEnd on_end;
  std::unordered_map<const s4u::Activity*, FlowTag> tag_of;  // looked up, never iterated
  std::unordered_map<FlowTag, s4u::CommPtr> live;            // likewise
  // SimGrid 3.32 reads a flow after signalling its end, and signals a cancelled one again before
  // the clock moves on. Dropping the last reference earlier is a use after free in SimGrid.
  std::deque<Grave> graveyard;

  s4u::CommPtr bury(FlowTag tag) {
    auto node = live.extract(tag);
    tag_of.erase(node.mapped().get());
    graveyard.push_back({node.mapped(), platform.engine_clock()});
    return graveyard.back().flow;
  }

  void on_completion(const s4u::Activity& activity) {
    const auto found = tag_of.find(&activity);
    if (found == tag_of.end()) return;  // not ours, or the second signal of a cancelled flow
    const FlowTag tag = found->second;
    const bool finished = activity.get_state() == s4u::Activity::State::FINISHED;
    bury(tag);
    on_end(tag, finished ? FlowEnd::done : FlowEnd::failed);
  }

  void touch() {
    check(!EngineAccess::local_event_runs(platform),
          "flows are started and cancelled from platform events only");
    while (!graveyard.empty() && graveyard.front().dug < platform.engine_clock())
      graveyard.pop_front();
  }
};

Flows::Flows(Platform& platform, OnEnd on_end)
    : state_(new State{platform, std::move(on_end), {}, {}, {}}) {
  s4u::Activity::on_completion_cb([weak = std::weak_ptr<State>(state_)](const auto& activity) {
    if (const auto state = weak.lock()) state->on_completion(activity);
  });
}

// SimGrid complains, with a slow backtrace each, of started flows that are dropped.
Flows::~Flows() {
  state_->tag_of.clear();  // no callbacks from here on
  for (auto& [tag, flow] : state_->live) flow->cancel();
}

bool Flows::start(HostIndex from, HostIndex to, Bytes size, FlowTag tag) {
  state_->touch();
  check(from != to, "a flow joins two different hosts");
  check(size.value() >= 0.0 && size.value() < 0x1p63, "a flow's size is within [0, 2^63) bytes");
  check(!state_->live.contains(tag), "a flow's tag is unique among the flows in flight");
  if (!state_->platform.can_reach(from, to)) return false;
  const double whole = std::fmax(1.0, std::ceil(size.value()));
  auto flow = s4u::Comm::sendto_init();
  flow->set_payload_size(static_cast<std::uint64_t>(whole));
  state_->tag_of.emplace(flow.get(), tag);
  state_->live.emplace(tag, flow);
  flow->set_source(EngineAccess::host(state_->platform, from));
  flow->set_destination(EngineAccess::host(state_->platform, to));  // this starts it
  return true;
}

bool Flows::cancel(FlowTag tag) {
  state_->touch();
  if (!state_->live.contains(tag)) return false;
  state_->bury(tag)->cancel();
  return true;
}

std::size_t Flows::in_flight() const {
  return state_->live.size();
}

}  // namespace specroute::sim

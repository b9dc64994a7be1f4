#include "sim/engine/lane.hpp"

#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u/Engine.hpp>

#include "sim/engine/engine_access.hpp"

namespace specroute::sim {

namespace {

// Thrown out of SimGrid's main loop, which offers no other way to end it while flows are in
// flight. It never leaves this file; the engine is not run again.
struct RunOver {
  RunEnd end;
};

}  // namespace

class Lane::Model final : public simgrid::kernel::resource::Model {
 public:
  explicit Model(Lane& lane)
      : simgrid::kernel::resource::Model("event_lane"),
        lane_(lane),
        engine_(EngineAccess::engine(lane.platform_)) {}

  void attach(const std::shared_ptr<Model>& self) {
    for (auto* peer : engine_.get_all_models())
      check(peer->next_occurring_event_is_idempotent(), "look-ahead needs idempotent models");
    engine_.add_model(self);
  }

  RunEnd run(LaneDriver& driver) {
    driver_ = &driver;
    try {
      engine_.run();
    } catch (const RunOver& over) {
      return over.end;
    }
    return RunEnd::drained;
  }

  double next_occurring_event(double engine_now) override {
    ++lane_.rounds_;
    catch_up(engine_now);
    if (ends_are_unheard()) return 0.0;
    const auto& heap = lane_.heap_;
    if (lane_.options_.mode == LaneMode::lookahead && !heap.empty() && !is_platform(heap.top())) {
      lane_.bound_ = std::min(peers_next(engine_now), lane_.stop_);
      if (heap.top().date < lane_.bound_) driver_->look_ahead();
      end_if_livelocked();
    }
    return step_from(engine_now);
  }

  void update_actions_state(double engine_now, double) override {
    catch_up(engine_now);
    driver_->fire_until(Seconds{engine_now});
    end_if_livelocked();
  }

 private:
  void catch_up(double engine_now) {
    if (lane_.now_.count() >= engine_now) return;
    // Overshooting an event of ours would date it wrongly; step_to rules it out.
    check(lane_.heap_.empty() || lane_.heap_.top().date.count() >= engine_now,
          "SimGrid's clock does not pass a pending event");
    if (lane_.heap_.empty() || lane_.heap_.top().date.count() > engine_now) {
      lane_.now_ = Seconds{engine_now};
      lane_.stalled_ = 0;
    }
  }

  void end_if_livelocked() const {
    if (lane_.livelocked_) throw RunOver{RunEnd::livelock};
  }

  // A flow that fails inside the callback of another one's end misses SimGrid's pass over the
  // ended; it would be reported, and free its share of the links, only at the next date. A round
  // without a step brings that pass forward to this date.
  [[nodiscard]] bool ends_are_unheard() const {
    for (auto* peer : engine_.get_all_models())
      if (!peer->get_failed_action_set()->empty()) return true;
    return false;
  }

  // Next date at which anything inside SimGrid can change. Legal between rounds: the peers are
  // solved, and asking them again is idempotent.
  [[nodiscard]] Seconds peers_next(double engine_now) const {
    double next = kNever.count();
    for (auto* peer : engine_.get_all_models()) {
      if (peer == this) continue;
      const double delta = peer->next_occurring_event(engine_now);
      if (delta >= 0.0) next = std::min(next, engine_now + delta);
    }
    const double timer = simgrid::kernel::timer::Timer::next();
    return Seconds{timer >= 0.0 ? std::min(next, timer) : next};
  }

  // How far SimGrid's clock may go from here; negative leaves it to the peers, or ends the run.
  [[nodiscard]] double step_from(double engine_now) const {
    const auto& heap = lane_.heap_;
    if (!heap.empty() && heap.top().date <= lane_.stop_)
      return step_to(heap.top().date.count(), engine_now);
    if (lane_.stop_ == kNever) return step_when_idle(engine_now);
    const Seconds peers = peers_next(engine_now);
    if (heap.empty() && peers == kNever) return step_when_idle(engine_now);
    if (engine_now >= lane_.stop_.count()) throw RunOver{RunEnd::stopped};
    return step_to(lane_.stop_.count(), engine_now);
  }

  // No event of ours is left: flows may still end, or the clocks meet and the run is over.
  [[nodiscard]] double step_when_idle(double engine_now) const {
    if (lane_.now_.count() > engine_now) return step_to(lane_.now_.count(), engine_now);
    const double peers = peers_next(engine_now).count();
    return peers == kNever.count() ? -1.0 : step_to(peers, engine_now);
  }

  // The step towards `date`, or half of the way to the first date ahead when that is more than
  // twice the present one (see the file comment of lane.hpp).
  [[nodiscard]] double step_to(double date, double engine_now) const {
    const double step = date - engine_now;
    if (engine_now <= 0.0 || step <= engine_now) return std::max(0.0, step);
    const double first = std::min(date, peers_next(engine_now).count()) - engine_now;
    return first > engine_now ? first / 2.0 : step;
  }

  Lane& lane_;
  simgrid::s4u::Engine& engine_;
  LaneDriver* driver_ = nullptr;
};

Lane::Lane(Platform& platform, LaneOptions options)
    : options_(options),
      platform_(platform),
      local_event_runs_(EngineAccess::local_event_runs(platform)),
      model_(std::make_shared<Model>(*this)) {
  check(options.stall_limit > 0, "the stall limit is positive");
  model_->attach(model_);
}

Lane::~Lane() = default;

void Lane::stop_at(Seconds date) {
  check(date >= now_, "a run stops now or later");
  stop_ = date;
  bound_ = std::min(bound_, date);
}

RunEnd Lane::run_driver(LaneDriver& driver) {
  check(!std::exchange(has_run_, true), "a lane runs once");
  return model_->run(driver);
}

bool Lane::note_stall(const Event& event) {
  if (stalled_ > options_.stall_limit) {
    livelocked_ = true;
    return false;
  }
  last_[stalled_ % kRemembered] = event;
  ++fired_;
  return true;
}

std::string Lane::diagnosis() const {
  if (!livelocked_) return {};
  std::map<std::pair<EventKind, std::uint32_t>, int> counts;
  const auto remembered = std::min<std::uint64_t>(options_.stall_limit, kRemembered);
  for (std::uint64_t i = 0; i < remembered; ++i) {
    const Event& event = last_[(options_.stall_limit - i) % kRemembered];
    ++counts[{event.kind, event.object}];
  }
  std::array<char, 128> line{};
  std::snprintf(line.data(), line.size(), "livelock: %llu events at t = %.9f s; the last ones:",
                static_cast<unsigned long long>(options_.stall_limit), now_.count());
  std::string text = line.data();
  for (const auto& [what, times] : counts) {
    const auto& [kind, object] = what;
    std::snprintf(line.data(), line.size(), " [%s kind %u, object %u, %d times]",
                  (kind & kPlatformBit) != 0 ? "platform" : "local", kind & ~kPlatformBit, object,
                  times);
    text += line.data();
  }
  return text;
}

}  // namespace specroute::sim

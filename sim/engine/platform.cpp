#include "sim/engine/platform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include <xbt/log.h>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>

#include <specroute/vocab/check.hpp>

#include "sim/engine/engine_access.hpp"

namespace specroute::sim {

namespace s4u = simgrid::s4u;
using simgrid::kernel::routing::NetPoint;

namespace {

// A power of two, so that sums, products and quotients with it are exact.
constexpr double kLinkLatency = 0x1p-30;

bool platform_exists = false;  // never reset: see the file comment of platform.hpp

std::unique_ptr<s4u::Engine> make_engine() {
  // Before the engine exists, or its INFO lines about our own settings get out.
  xbt_log_control_set("root.threshold:warning");
  std::array<std::string, 5> arguments{"specroute", "--cfg=network/model:CM02",
                                       "--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0",
                                       "--cfg=surf/precision:1e-300"};
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (auto& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  return std::make_unique<s4u::Engine>(&count, pointers.data());
}

void check_plan(const PlatformPlan& plan) {
  const auto positive = [](BytesPerSecond rate) {
    return rate.value() > 0.0 && std::isfinite(rate.value());
  };
  const auto not_negative = [](Seconds span) {
    return span.count() >= 0.0 && std::isfinite(span.count());
  };
  for (const auto& host : plan.hosts) {
    check(!host.name.empty(), "a host has a name");
    check(positive(host.nic), "a NIC's bandwidth is positive and finite");
    check(not_negative(host.latency), "a NIC's latency is finite and not negative");
  }
  if (plan.tree) {
    check(positive(plan.tree->link), "a tree's bandwidth is positive and finite");
    check(plan.tree->uplinks >= 1, "a rack has an uplink");
    check(!plan.backbone, "a tree has no backbone");
  }
  if (!plan.backbone) return;
  check(positive(plan.backbone->bandwidth), "a backbone's bandwidth is positive and finite");
  check(not_negative(plan.backbone->latency), "a backbone's latency is finite and not negative");
}

/// Hosts by node, nodes by rack, each in the order of its first host.
struct FabricLayout {
  using Node = std::vector<std::size_t>;
  std::vector<std::vector<Node>> racks;
  std::size_t widest = 0;  ///< nodes of the largest rack
};

FabricLayout fabric_layout(const std::vector<HostPlan>& hosts) {
  FabricLayout layout;
  std::map<std::string, std::size_t> rack_of;
  std::map<std::string, std::pair<std::size_t, std::size_t>> place_of;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    const auto known = place_of.find(hosts[h].node);
    if (!hosts[h].node.empty() && known != place_of.end()) {
      layout.racks[known->second.first][known->second.second].push_back(h);
      continue;
    }
    const auto rack = rack_of.emplace(hosts[h].rack, layout.racks.size()).first->second;
    if (rack == layout.racks.size()) layout.racks.emplace_back();
    if (!hosts[h].node.empty()) place_of[hosts[h].node] = {rack, layout.racks[rack].size()};
    layout.racks[rack].push_back({h});
    layout.widest = std::max(layout.widest, layout.racks[rack].size());
  }
  return layout;
}

}  // namespace

struct Platform::State {
  PlatformPlan plan;
  std::unique_ptr<s4u::Engine> engine;
  std::vector<s4u::Host*> hosts;
  std::vector<s4u::SplitDuplexLink*> nics;                   ///< by host; of a node, one for all
  std::unordered_map<const s4u::Host*, HostIndex> index_of;  // looked up, never iterated
  std::vector<char> on;
  std::vector<char> linked;
  bool local_event_runs = false;

  void build();
  [[nodiscard]] s4u::NetZone* build_star();
  [[nodiscard]] s4u::NetZone* build_tree();
  void add_node(s4u::NetZone& zone, const std::vector<std::size_t>& members,
                const s4u::Link* backbone);
  void add_host(s4u::NetZone& zone, std::size_t host, s4u::SplitDuplexLink* nic,
                const s4u::Link* backbone);
  std::pair<NetPoint*, NetPoint*> add_leaf(s4u::NetZone* tree, unsigned long id);
  [[nodiscard]] double latency(HostIndex from, HostIndex to) const;
  [[nodiscard]] std::size_t checked(HostIndex host) const {
    check(host.index() < hosts.size(), "a host index is one of the plan's");
    return host.index();
  }
  [[nodiscard]] std::size_t changeable(HostIndex host) const {
    check(!local_event_runs, "the platform is touched from platform events only");
    return checked(host);
  }
  void set_linked(std::size_t host, char value) {
    for (std::size_t i = 0; i < nics.size(); ++i)
      if (nics[i] == nics[host]) linked[i] = value;
  }

  FabricLayout layout;
};

void Platform::State::build() {
  layout = fabric_layout(plan.hosts);
  hosts.resize(plan.hosts.size());
  nics.resize(plan.hosts.size());
  on.assign(plan.hosts.size(), 1);
  linked.assign(plan.hosts.size(), 1);
  s4u::NetZone* zone = plan.tree ? build_tree() : build_star();
  zone->seal();
  zone->get_network_model()->set_lat_factor_cb(
      [this](double, const s4u::Host* from, const s4u::Host* to, const auto&, const auto&) {
        return latency(index_of.at(from), index_of.at(to)) / (2.0 * kLinkLatency);
      });
}

s4u::NetZone* Platform::State::build_star() {
  auto* zone = s4u::create_star_zone("fabric");
  const s4u::Link* backbone = nullptr;
  if (plan.backbone) {
    auto* link = zone->create_link("backbone", plan.backbone->bandwidth.value());
    link->set_latency(0.0);
    link->set_sharing_policy(plan.backbone->contended ? s4u::Link::SharingPolicy::SHARED
                                                      : s4u::Link::SharingPolicy::FATPIPE);
    backbone = link->seal();
  }
  for (const auto& rack : layout.racks)
    for (const auto& node : rack) add_node(*zone, node, backbone);
  return zone;
}

/// Leaves are nodes, a rack's next to each other; racks with fewer are filled up with idle hosts.
s4u::NetZone* Platform::State::build_tree() {
  const s4u::FatTreeParams shape(
      2, {static_cast<unsigned>(layout.widest), static_cast<unsigned>(layout.racks.size())},
      {1, plan.tree->uplinks}, {1, 1});
  const s4u::ClusterCallbacks leaves([this](s4u::NetZone* tree, const std::vector<unsigned long>&,
                                            unsigned long id) { return add_leaf(tree, id); });
  return s4u::create_fatTree_zone("fabric", nullptr, shape, leaves, plan.tree->link.value(), 0.0,
                                  s4u::Link::SharingPolicy::SPLITDUPLEX);
}

std::pair<NetPoint*, NetPoint*> Platform::State::add_leaf(s4u::NetZone* tree, unsigned long id) {
  const auto& rack = layout.racks[id / layout.widest];
  const std::size_t place = id % layout.widest;
  const std::string name = std::to_string(id);
  if (place >= rack.size())
    return {tree->create_host("idle:" + name, 1e9)->seal()->get_netpoint(), nullptr};
  auto* zone = s4u::create_star_zone("node:" + name);
  zone->set_parent(tree);
  auto* gateway = zone->create_router("gateway:" + name);
  zone->add_route(gateway, nullptr, nullptr, nullptr, std::vector<s4u::LinkInRoute>{}, true);
  add_node(*zone, rack[place], nullptr);
  zone->seal();
  return {zone->get_netpoint(), gateway};
}

void Platform::State::add_node(s4u::NetZone& zone, const std::vector<std::size_t>& members,
                               const s4u::Link* backbone) {
  const HostPlan& first = plan.hosts[members.front()];
  auto* nic = zone.create_split_duplex_link("nic:" + first.name, first.nic.value());
  nic->set_latency(kLinkLatency);
  nic->seal();
  for (const std::size_t host : members) add_host(zone, host, nic, backbone);
}

void Platform::State::add_host(s4u::NetZone& zone, std::size_t host, s4u::SplitDuplexLink* nic,
                               const s4u::Link* backbone) {
  using Direction = s4u::LinkInRoute::Direction;
  auto* machine = zone.create_host(plan.hosts[host].name, 1e9)->seal();  // speed is never used
  std::vector<s4u::LinkInRoute> up{{nic, Direction::UP}};
  const std::vector<s4u::LinkInRoute> down{{nic, Direction::DOWN}};
  if (backbone != nullptr) up.emplace_back(backbone);
  zone.add_route(machine->get_netpoint(), nullptr, nullptr, nullptr, up, false);
  zone.add_route(nullptr, machine->get_netpoint(), nullptr, nullptr, down, false);
  index_of.emplace(machine, HostIndex{static_cast<std::uint32_t>(host)});
  hosts[host] = machine;
  nics[host] = nic;
}

double Platform::State::latency(HostIndex from, HostIndex to) const {
  const Seconds ends = plan.hosts[checked(from)].latency + plan.hosts[checked(to)].latency;
  return (plan.backbone ? ends + plan.backbone->latency : ends).count();
}

Platform::Platform(const PlatformPlan& plan) : state_(std::make_unique<State>()) {
  check(!platform_exists, "a process builds one platform only; replications fork");
  platform_exists = true;
  check_plan(plan);
  state_->plan = plan;
  state_->engine = make_engine();
  state_->build();
}

Platform::~Platform() = default;

std::size_t Platform::host_count() const {
  return state_->hosts.size();
}

Seconds Platform::route_latency(HostIndex from, HostIndex to) const {
  const Seconds latency{state_->latency(from, to)};
  return from == to ? Seconds{0.0} : latency;
}

BytesPerSecond Platform::route_bandwidth(HostIndex from, HostIndex to) const {
  const auto& hosts = state_->plan.hosts;
  check(from != to, "a route joins two different hosts");
  const auto ends = std::min(hosts[state_->checked(from)].nic, hosts[state_->checked(to)].nic);
  const auto& backbone = state_->plan.backbone;
  return backbone ? std::min(ends, backbone->bandwidth) : ends;
}

Seconds Platform::message_time(HostIndex from, HostIndex to, Bytes size) const {
  check(size.value() >= 0.0, "a message's size is not negative");
  if (from == to) return Seconds{0.0};
  return route_latency(from, to) + size / route_bandwidth(from, to);
}

void Platform::turn_off(HostIndex host) {
  const std::size_t i = state_->changeable(host);
  if (state_->on[i] == 0) return;
  state_->on[i] = 0;
  state_->hosts[i]->turn_off();
}

void Platform::turn_on(HostIndex host) {
  const std::size_t i = state_->changeable(host);
  if (state_->on[i] != 0) return;
  state_->on[i] = 1;
  state_->hosts[i]->turn_on();
}

bool Platform::is_on(HostIndex host) const {
  return state_->on[state_->checked(host)] != 0;
}

void Platform::cut_link(HostIndex host) {
  const std::size_t i = state_->changeable(host);
  if (state_->linked[i] == 0) return;
  state_->set_linked(i, 0);
  state_->nics[i]->turn_off();
}

void Platform::restore_link(HostIndex host) {
  const std::size_t i = state_->changeable(host);
  if (state_->linked[i] != 0) return;
  state_->set_linked(i, 1);
  state_->nics[i]->turn_on();
}

bool Platform::is_linked(HostIndex host) const {
  return state_->linked[state_->checked(host)] != 0;
}

bool Platform::can_reach(HostIndex from, HostIndex to) const {
  return from != to && is_on(from) && is_on(to) && is_linked(from) && is_linked(to);
}

Seconds Platform::engine_clock() const {
  return Seconds{s4u::Engine::get_clock()};
}

s4u::Engine& EngineAccess::engine(Platform& platform) {
  return *platform.state_->engine;
}

s4u::Host* EngineAccess::host(Platform& platform, HostIndex index) {
  return platform.state_->hosts[platform.state_->checked(index)];
}

bool& EngineAccess::local_event_runs(Platform& platform) {
  return platform.state_->local_event_runs;
}

}  // namespace specroute::sim

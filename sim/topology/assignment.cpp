#include "sim/topology/assignment.hpp"

#include <algorithm>
#include <map>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/successive_shortest_path_nonnegative_weights.hpp>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

__extension__ using Cost = __int128;  // tie-breaks multiply: 64 bits are too few for 1,000 needs
using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor,
                                                    boost::property<boost::edge_weight_t, Cost>>>>>;
using Vertex = Traits::vertex_descriptor;
using Edge = Traits::edge_descriptor;

constexpr Cost kLoadCost = 1000;
constexpr Cost kTargetCost = 10'000;  ///< per place in the need's list

Cost load_cost(const DraftRoom& draft, std::uint32_t more) {
  return kLoadCost * (draft.bound + more) / draft.engines;
}

/// Builds the network, solves it, and reads the flow.
class FlowProblem {
 public:
  FlowProblem(const PairingGraph& graph, const std::vector<PairingNeed>& needs,
              const std::vector<DraftRoom>& drafts, const PairingFilter& allowed)
      : graph_(graph), needs_(needs), drafts_(drafts), allowed_(allowed) {
    for (const PairingNeed& need : needs)
      for (const BackendId target : need.targets) targets_.emplace(target, 0);
    std::size_t rank = 0;
    for (auto& [target, place] : targets_) place = rank++;
    wanted_by_.resize(targets_.size());
    for (std::size_t n = 0; n < needs.size(); ++n)
      for (const BackendId target : needs[n].targets) wanted_by_[targets_.at(target)].push_back(n);
    for (std::size_t d = 0; d < drafts.size(); ++d) places_.emplace(drafts[d].draft, d);
    // Each above every sum of what it is to outweigh, so that this decides between equals only.
    const auto many = static_cast<Cost>(1 + std::max(needs.size(), targets_.size()));
    const auto ranks = static_cast<Cost>(1 + std::max(drafts.size(), targets_.size()));
    later_ = 1 + many * many * 2 * ranks;
    unit_ = 1 + many * many * later_;
    build();
  }

  Assignment solve() {
    boost::successive_shortest_path_nonnegative_weights(network_, kSource, kSink);
    std::vector<BackendId> draft_of(targets_.size());
    for (const Arc& pair : pairs_)
      if (flows(pair.edge)) draft_of[pair.from] = drafts_[pair.to].draft;
    Assignment assignment(needs_.size());
    for (const Arc& choice : choices_)
      if (flows(choice.edge))
        assignment[choice.from] = AssignedPairing{target_at(choice.to), draft_of[choice.to]};
    return assignment;
  }

 private:
  struct Arc {
    std::size_t from;
    std::size_t to;
    Edge edge;
  };
  static constexpr Vertex kSource = 0;
  static constexpr Vertex kSink = 1;

  [[nodiscard]] Vertex need_vertex(std::size_t need) const { return 2 + need; }
  [[nodiscard]] Vertex entry(std::size_t target) const { return 2 + needs_.size() + 2 * target; }
  [[nodiscard]] Vertex draft_vertex(std::size_t draft) const {
    return 2 + needs_.size() + 2 * targets_.size() + draft;
  }
  [[nodiscard]] BackendId target_at(std::size_t rank) const {
    return std::next(targets_.begin(), static_cast<std::ptrdiff_t>(rank))->first;
  }

  Edge add(Vertex from, Vertex to, std::int64_t capacity, Cost cost) {
    const Edge there = boost::add_edge(from, to, network_).first;
    const Edge back = boost::add_edge(to, from, network_).first;
    boost::put(boost::edge_capacity, network_, there, capacity);
    boost::put(boost::edge_capacity, network_, back, 0);
    boost::put(boost::edge_weight, network_, there, cost);
    boost::put(boost::edge_weight, network_, back, -cost);
    boost::put(boost::edge_reverse, network_, there, back);
    boost::put(boost::edge_reverse, network_, back, there);
    return there;
  }

  void build() {
    network_ = Network(draft_vertex(drafts_.size()));
    for (std::size_t n = 0; n < needs_.size(); ++n) add_need(n);
    for (const auto& [target, rank] : targets_) {
      add(entry(rank), entry(rank) + 1, 1, 0);
      add_pairs(target, rank);
    }
    for (std::size_t d = 0; d < drafts_.size(); ++d)
      for (std::uint32_t k = 1; k <= std::min<std::size_t>(drafts_[d].room, needs_.size()); ++k)
        add(draft_vertex(d), kSink, 1, unit_ * load_cost(drafts_[d], k));
  }

  /// The weight of a tie-break falls with the rank of who chooses, so who comes first takes the
  /// lower: exchanging two choices never gives the same sum. Where not all can be served, each
  /// place down the list of needs weighs more than all of that. The sets of needs that can be
  /// served at the least cost are the bases of a matroid, so the least sum of places takes the
  /// first needs that it can, one by one.
  void add_need(std::size_t need) {
    add(kSource, need_vertex(need), 1, later_ * static_cast<Cost>(need));
    Cost place = 0;
    for (const BackendId target : needs_[need].targets) {
      const std::size_t rank = targets_.at(target);
      const Cost cost =
          unit_ * kTargetCost * place++ + static_cast<Cost>((needs_.size() - need) * rank);
      choices_.push_back({need, rank, add(need_vertex(need), entry(rank), 1, cost)});
    }
  }

  void add_pairs(BackendId target, std::size_t rank) {
    const auto open = [&](BackendId draft) {
      const auto place = places_.find(draft);
      return place != places_.end() && drafts_[place->second].room > 0 &&
             allowed_by_all(rank, target, draft);
    };
    for (const auto& [draft, cost] : graph_.partners(target, open)) {
      const std::size_t d = places_.at(draft);
      const auto tie = static_cast<Cost>(targets_.size() - rank) * static_cast<Cost>(d);
      const Cost total = unit_ * static_cast<Cost>(cost) + tie;
      pairs_.push_back({rank, d, add(entry(rank) + 1, draft_vertex(d), 1, total)});
    }
  }

  [[nodiscard]] bool allowed_by_all(std::size_t rank, BackendId target, BackendId draft) const {
    return std::ranges::all_of(wanted_by_[rank],
                               [&](std::size_t need) { return allowed_(need, target, draft); });
  }

  [[nodiscard]] bool flows(const Edge& edge) const {
    return boost::get(boost::edge_capacity, network_, edge) >
           boost::get(boost::edge_residual_capacity, network_, edge);
  }

  const PairingGraph& graph_;
  const std::vector<PairingNeed>& needs_;
  const std::vector<DraftRoom>& drafts_;
  const PairingFilter& allowed_;
  std::map<BackendId, std::size_t> targets_;         ///< to their rank
  std::vector<std::vector<std::size_t>> wanted_by_;  ///< by rank of target: needs
  std::map<BackendId, std::size_t> places_;          ///< of drafts, in `drafts_`
  Cost later_ = 1;                                   ///< that a need stands one place later
  Cost unit_ = 1;                                    ///< of cost
  Network network_;
  std::vector<Arc> choices_;  ///< need, rank of target
  std::vector<Arc> pairs_;    ///< rank of target, index of draft
};

}  // namespace

Assignment assign_by_flow(const PairingGraph& graph, const std::vector<PairingNeed>& needs,
                          const std::vector<DraftRoom>& drafts, const PairingFilter& allowed) {
  for (const DraftRoom& draft : drafts) check(draft.engines >= 1, "a draft has an engine");
  return FlowProblem(graph, needs, drafts, allowed).solve();
}

namespace {

/// The draft with room that costs the target least, or none. Ties: the first.
DraftRoom* cheapest_draft(const PairingGraph& graph, BackendId target,
                          std::vector<DraftRoom>& rooms,
                          const std::function<bool(BackendId)>& allowed) {
  DraftRoom* best = nullptr;
  Cost least = 0;
  for (DraftRoom& draft : rooms) {
    const auto partners = graph.partners(target, [&](BackendId b) { return b == draft.draft; });
    if (partners.empty() || draft.room == 0 || !allowed(draft.draft)) continue;
    const Cost cost = load_cost(draft, 1) + static_cast<Cost>(partners.front().cost);
    if (best != nullptr && cost >= least) continue;
    best = &draft;
    least = cost;
  }
  return best;
}

}  // namespace

Assignment assign_greedily(const PairingGraph& graph, const std::vector<PairingNeed>& needs,
                           const std::vector<DraftRoom>& drafts, const PairingFilter& allowed) {
  std::vector<DraftRoom> left = drafts;
  std::vector<BackendId> used;
  Assignment assignment(needs.size());
  for (std::size_t n = 0; n < needs.size(); ++n)
    for (const BackendId target : needs[n].targets) {
      if (assignment[n] || std::ranges::count(used, target) > 0) continue;
      DraftRoom* const best = cheapest_draft(
          graph, target, left, [&](BackendId draft) { return allowed(n, target, draft); });
      if (best == nullptr) continue;
      assignment[n] = AssignedPairing{target, best->draft};
      used.push_back(target);
      --best->room;
      ++best->bound;
    }
  return assignment;
}

}  // namespace specroute::sim

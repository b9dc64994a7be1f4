#include "sim/topology/pairing_graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/filtered_graph.hpp>

#include "sim/scenario/pairable.hpp"

namespace specroute::sim {
namespace {

using Weight = boost::property<boost::edge_weight_t, double>;
using Adjacency =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Weight>;

bool claimed_consistent(const Backend& target, const Backend& draft, TokenizerIdentity identity) {
  const bool tokenizers = identity == TokenizerIdentity::hash
                              ? target.tokenizer == draft.tokenizer
                              : target.vocabulary_tokens == draft.vocabulary_tokens;
  return tokenizers && target.kv_block_tokens == draft.kv_block_tokens &&
         target.attention_mask == draft.attention_mask;
}

double network_cost(const Scenario& scenario, BackendId target, BackendId draft) {
  const Backend& verifies = scenario.backends[target.index()];
  const Backend& drafts = scenario.backends[draft.index()];
  if (drafts.hosting.on_devices_of == target) return PairingGraph::kSameDevices;
  if (same_node(scenario, target, draft)) return PairingGraph::kSameNode;
  return verifies.rack == drafts.rack ? PairingGraph::kSameRack : PairingGraph::kOtherRack;
}

/// Lets only allowed backends through; Boost wants it default-constructible and copyable.
struct Allowed {
  const PairingGraph::Filter* filter = nullptr;
  std::size_t kept = 0;
  bool operator()(std::size_t vertex) const {
    return vertex == kept || (*filter)(BackendId{static_cast<std::uint32_t>(vertex)});
  }
};

}  // namespace

struct PairingGraph::Graph {
  Adjacency adjacency;
};

PairingGraph::PairingGraph(const Scenario& scenario)
    : graph_(std::make_unique<Graph>(Graph{Adjacency(scenario.backends.size())})) {
  const auto& backends = scenario.backends;
  for (std::size_t t = 0; t < backends.size(); ++t)
    for (std::size_t d = 0; d < backends.size(); ++d) {
      const BackendId target{static_cast<std::uint32_t>(t)};
      const BackendId draft{static_cast<std::uint32_t>(d)};
      if (!pairable(scenario, target, draft) ||
          !claimed_consistent(backends[t], backends[d], scenario.router.tokenizer_identity))
        continue;
      boost::add_edge(t, d, Weight(network_cost(scenario, target, draft)), graph_->adjacency);
    }
}

PairingGraph::~PairingGraph() = default;
PairingGraph::PairingGraph(PairingGraph&&) noexcept = default;

std::vector<PairingGraph::Candidate> PairingGraph::partners(BackendId kept,
                                                            const Filter& allowed) const {
  const boost::filtered_graph<Adjacency, boost::keep_all, Allowed> open(
      graph_->adjacency, boost::keep_all{}, Allowed{&allowed, kept.index()});
  std::vector<Candidate> result;
  const auto [begin, end] = boost::out_edges(kept.index(), open);
  for (auto edge = begin; edge != end; ++edge)
    result.push_back({BackendId{static_cast<std::uint32_t>(boost::target(*edge, open))},
                      boost::get(boost::edge_weight, open, *edge)});
  std::ranges::sort(result, [](const Candidate& a, const Candidate& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.backend < b.backend;
  });
  return result;
}

}  // namespace specroute::sim

#include "sim/validation/fidelity_limits.hpp"

#include <array>

namespace specroute::sim::validation {
namespace {

constexpr std::array kLimits = {
    FidelityLimit{"An interval is not an error bar on the world.",
                  "Confidence intervals cover seeds: what another draw of the same traffic would "
                  "give under the same models. The errors of the models stand on this page and are "
                  "not in them. A difference between two gates under one model is firmer than any "
                  "absolute figure."},
    FidelityLimit{"A pair's acceptance is not a property of its models.",
                  "The token-pair model turns two figures into the rest (another temperature, "
                  "another rule). It has no language, no vocabulary statistics and no weights: "
                  "measure your pair, then ask what changes when its parameters do."},
    FidelityLimit{"Acceptance rates of different draft lengths do not compare.",
                  "A rate is accepted over drafted tokens and falls with the draft length for one "
                  "and the same pair; even the first position's acceptance differs between runs "
                  "of different lengths. Give a rate with its draft length."},
    FidelityLimit{"The depth law does not see the end of a draft.",
                  "It extrapolates to about twice the longest draft measured. A proposer that "
                  "stops early, or was trained for a fixed number of tokens, accepts fewer than it "
                  "says."},
    FidelityLimit{
        "The batch at which speculation stops paying is not known to the step.",
        "On a device that becomes compute-bound the crossing comes out near the measured "
        "one; where the engine itself makes speculative rounds dearer (host work that is "
        "not overlapped, launches without graphs) the gain is overstated, by up to a half "
        "in table 3 of EAGLE-3. Leave a margin, or measure a round."},
    FidelityLimit{"Step times of a device without kernel tables are borrowed.",
                  "They take the kernel efficiencies of the nearest measured generation and the "
                  "overheads of the engine: the errors of unmeasured systems are wider than those "
                  "of the groups above."},
    FidelityLimit{"A degraded share is an anchor times a ratio.",
                  "Loop and schema hazards are calibrated on one incident; only the ratio of "
                  "greedy to sampled loops is from the literature. Orders between gates survive a "
                  "wrong level; counts of degraded completions scale with it."},
    FidelityLimit{"A biased output is not a measured loss of quality.",
                  "Total variation says how far one token's distribution is from the one asked "
                  "for. Whether a reader notices is beyond the model; no text is generated."},
    FidelityLimit{"A gate that wins here was not shown to win against faults that are not here.",
                  "Scenarios hold the faults that were reported in public. A policy tuned on them "
                  "is tuned on them."},
    FidelityLimit{"Networks and memory are simpler than yours.",
                  "Messages below flow_threshold_bytes do not contend. KV blocks are never swapped "
                  "out, generated tokens are not cached, an engine does not see priorities, and "
                  "there are no draft trees, autoscaling or engines of one backend that differ."},
    FidelityLimit{"What this page does not hold against data is not validated.",
                  "Fail-over timing, telemetry delays, re-binds and failure rates are scenario "
                  "inputs; prices and power are list figures."},
};

}  // namespace

std::span<const FidelityLimit> fidelity_limits() {
  return kLimits;
}

}  // namespace specroute::sim::validation

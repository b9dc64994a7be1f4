"""What a router in Python adds to its replicas: counters in, "may this replica be chosen?" out.

ReplicaGate is the part without a framework; DeploymentFilter puts it into LiteLLM, and
`gated_replicas` into a Ray Serve request router. Each replica is an engine with its draft inside, so
a pairing is one replica between two take-overs.
"""

import threading
import time

import specroute_router as specroute

try:
    from litellm.integrations.custom_logger import CustomLogger
except ImportError:  # the part without LiteLLM runs alone
    CustomLogger = object


class ReplicaGate:
    """`config` is that of a gate; a wrong one is refused here, where the process starts.
    `required`: the params hash that the requests' class asks for."""

    def __init__(self, config, required, log=print, clock=time.monotonic_ns):
        self._policy = specroute.Policy(config)
        self._profile = specroute.profile(1, required)
        self._required = required
        self._lock = threading.Lock()  # one caller at a time; the router has threads
        self._log, self._clock = log, clock
        self._pairings = 0
        self._replicas = {}  # name -> its numbers and last counters
        self.refused = 0  # events that the library refused: alert on it

    def bind(self, name):
        """A replica was added."""
        with self._lock:
            self._bind(name)

    def take_over(self, lost, heir):
        """`lost` is in cool-down or gone, and `heir` gets its requests."""
        with self._lock:
            old, new = self._replicas[lost], self._replicas[heir]
            ended = (old["pairing"], new["pairing"])
            now = self._clock()
            self._tell(
                self._policy.failover, now, self._pairings + 1, old["pairing"], old["backend"], new["backend"]
            )
            self._bind(heir)
            for pairing in ended:
                self._tell(self._policy.unbind, now, pairing)

    def scraped(self, name, drafts, drafted, accepted, draft_params=None, target_params=None):
        """Cumulative counters, as vllm:spec_decode_num_{drafts,draft_tokens,accepted_tokens}_total,
        and the params hashes that draft and target report, if they do."""
        with self._lock:
            replica, now = self._replicas[name], self._clock()
            counters = (drafts, drafted, accepted)
            steps, fresh, taken = (new - old for new, old in zip(counters, replica["seen"]))
            if min(steps, fresh, taken) < 0:  # it was restarted: a new epoch, compared with nothing
                counts = {"window_flags": specroute.WINDOW_COUNTER_RESET}
            else:
                counts = {"steps": steps, "drafted": fresh, "accepted": taken}
            sides = (self._side(replica, 1, draft_params), self._side(replica, 0, target_params))
            self._tell(
                self._policy.window, now, replica["pairing"], self._profile, *sides, start=replica["at"], **counts
            )
            replica["seen"], replica["at"] = counters, now

    def tick(self):
        """Once a second or so: decisions whose date has come."""
        with self._lock:
            self._tell(self._policy.tick, self._clock())

    def allows(self, name):
        """Fails open: a replica that the gate knows nothing of may serve."""
        with self._lock:
            replica = self._replicas.get(name)
            return replica is None or replica["barred_until"] <= self._clock()

    def _bind(self, name):
        self._pairings += 1
        fresh = {"backend": 2 * len(self._replicas), "seen": (0, 0, 0), "at": self._clock(), "barred_until": 0}
        replica = self._replicas.setdefault(name, fresh)
        replica["pairing"] = self._pairings
        sides = (self._side(replica, 1), self._side(replica, 0))
        self._tell(
            self._policy.bind,
            self._clock(),
            self._pairings,
            self._profile,
            *sides,
            forward=specroute.FORWARD_LOGITS,
        )

    @staticmethod
    def _side(replica, draft, params=None):
        provenance = specroute.CLAIMED if params is None else specroute.LIVE
        return specroute.side(replica["backend"] + draft, tokenizer=11, params=params, kv_block_tokens=16, mask=1, provenance=provenance)

    def _tell(self, send, *event, **fields):
        try:
            said = send(*event, **fields)
        except specroute.EventError as refused:
            self.refused += 1  # nothing has changed: traffic goes on, and nothing is rewarded
            self._log(f"specroute: {refused}")
            return
        for decision in said:
            self._log(f"specroute{' (dry run)' if decision.dry_run else ''}: {decision.explanation}")
            if not decision.dry_run:
                self._carry_out(decision)

    def _carry_out(self, decision):
        for replica in self._replicas.values():
            if replica["pairing"] != decision.pairing:
                continue
            if decision.kind in ("HOLD", "LOCK"):
                replica["barred_until"] = 0
            elif decision.kind in ("NO_DRAFT", "QUARANTINE"):
                # No request can ask such an engine for no draft: bar the replica.
                replica["barred_until"] = decision.valid_until
            elif decision.kind == "REBIND":
                # Nor for another one: the policy falls back to NO_DRAFT.
                outcome = (self._clock(), decision.id, specroute.DECLINED_NO_CANDIDATE)
                self._tell(self._policy.outcome, *outcome)
                break


class DeploymentFilter(CustomLogger):
    """LiteLLM: litellm.callbacks = [DeploymentFilter(gate)]. Deployments are named by their id."""

    def __init__(self, gate):
        super().__init__()
        self._gate = gate

    async def async_filter_deployments(
        self, model, healthy_deployments, messages, request_kwargs=None, parent_otel_span=None
    ):
        """Never none of them: an empty answer is an error to the client."""
        kept = [one for one in healthy_deployments if self._gate.allows(one.get("model_info", {}).get("id"))]
        return kept or healthy_deployments


def gated_replicas(gate, candidate_replicas):
    """Ray Serve: what choose_replicas of a RequestRouter returns, best rank first."""
    allowed = [one for one in candidate_replicas if gate.allows(one.replica_id.unique_id)]
    barred = [one for one in candidate_replicas if one not in allowed]
    return [rank for rank in (allowed, barred) if rank]

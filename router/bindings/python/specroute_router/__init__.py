"""specroute's policy library, called from Python: `Policy` (events in, decisions out), and the rule's
four names: BackendBinding, params_hash, validate_post_failover_acceptance, route_after_failover.
Needs the shared library and ctypes, nothing else.

The library is the file that SPECROUTE_ROUTER_LIBRARY names, else libspecroute_router.so.1 where the
loader finds it.
"""

from ._abi import FOREVER, module, text
from ._policy import (
    CLAIMED,
    DECLINED_NO_CANDIDATE,
    DECLINED_NO_CAPACITY,
    DONE,
    FORWARD_LOGITS,
    FORWARD_PROBS,
    FORWARD_TOKENS,
    LIVE,
    REPLACE_DRAFT,
    REPLACE_TARGET,
    SUPERSEDED,
    VERIFIED_AT_BIND,
    WINDOW_COUNTER_RESET,
    WINDOW_FROM_RATIO,
    WINDOW_PARTIAL,
    WINDOW_STALE,
    ConfigError,
    Decision,
    EventError,
    Policy,
    profile,
    side,
    validate,
)
from ._rule import (
    BackendBinding,
    SpeculativeRoutingError,
    params_hash,
    route_after_failover,
    validate_post_failover_acceptance,
)

__version__ = text(module.version)
config_schema = text(module.config_schema)

__all__ = [
    "BackendBinding",
    "CLAIMED",
    "ConfigError",
    "DECLINED_NO_CANDIDATE",
    "DECLINED_NO_CAPACITY",
    "DONE",
    "Decision",
    "EventError",
    "FOREVER",
    "FORWARD_LOGITS",
    "FORWARD_PROBS",
    "FORWARD_TOKENS",
    "LIVE",
    "Policy",
    "REPLACE_DRAFT",
    "REPLACE_TARGET",
    "SUPERSEDED",
    "SpeculativeRoutingError",
    "VERIFIED_AT_BIND",
    "WINDOW_COUNTER_RESET",
    "WINDOW_FROM_RATIO",
    "WINDOW_PARTIAL",
    "WINDOW_STALE",
    "config_schema",
    "params_hash",
    "profile",
    "route_after_failover",
    "side",
    "validate",
    "validate_post_failover_acceptance",
]

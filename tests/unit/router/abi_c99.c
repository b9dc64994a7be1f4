/** @file The header as a C99 compiler sees it: built with -std=c99 -pedantic -Wpadded -Werror. */
#include <specroute/policy_abi.h>

unsigned specroute_c99_sum_of_record_sizes(void);

unsigned specroute_c99_sum_of_record_sizes(void) {
  return (unsigned)(sizeof(srp_ev_candidate) + sizeof(srp_ev_bind) + sizeof(srp_ev_unbind) +
                    sizeof(srp_ev_window) + sizeof(srp_ev_failover) + sizeof(srp_ev_sampling) +
                    sizeof(srp_ev_health) + sizeof(srp_ev_quality) + sizeof(srp_ev_outcome) +
                    sizeof(srp_ev_tick) + sizeof(srp_decision));
}

/// @file
/// A library needs a source of its own; what it exports is in the archive that it takes in whole.
#include <specroute/policy_abi.h>

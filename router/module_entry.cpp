/// @file
/// A module needs a source of its own; what it exports is in the library that it takes in whole.
#include <specroute/policy_abi.h>

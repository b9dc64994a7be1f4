/** @file The frozen layout as a C99 compiler sees it. */
#include "tests/unit/router/abi_frozen.h"

/* The one export has this type. */
const srp_module* (*const frozen_entry)(uint32_t) = srp_module_get;

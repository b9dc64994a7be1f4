/// @file
/// The frozen layout as a C++17 compiler sees it.
#include "tests/unit/router/abi_frozen.h"

static_assert(std::is_same<decltype(&srp_module_get), const srp_module* (*)(uint32_t)>::value,
              "the one export has this type");

/* All types of the runtime API. */
#include "driver_types.h"
#include "vector_types.h"

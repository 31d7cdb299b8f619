/* Everything that it would declare is in driver_types.h. */
#include "driver_types.h"

/* Everything that it would declare comes with hip_runtime.h. */
#include "hip_runtime.h"

/* Where older programs look for it. */
#include "hiprand/hiprand_kernel.h"

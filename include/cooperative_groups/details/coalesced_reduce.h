/* Part of reduce.h. */
#include "reduce.h"

/* cooperative_groups::reduce and its operations. */
#include "details/reduce.h"

/* cooperative_groups::reduce and its operations. */
#include "../cooperative_groups.h"

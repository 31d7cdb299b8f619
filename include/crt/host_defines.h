/* Programs include this by name; everything it promises is in host_defines.h. */
#include "host_defines.h"

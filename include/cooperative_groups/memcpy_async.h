/* cooperative_groups::memcpy_async and the waits for it. */
#include "details/async.h"

/* cooperative_groups::inclusive_scan and exclusive_scan. */
#include "details/scan.h"

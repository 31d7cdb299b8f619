/* All of it is in nvtx3. */
#include "nvtx3/nvToolsExtCuda.h"

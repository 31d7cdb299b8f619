/* All of it is in nvtx3. */
#include "nvtx3/nvToolsExtCudaRt.h"

/* libnvToolsExt: the functions of NVTX's second version as a library, for programs that were linked to one.
 */
#define NVTX_DECLSPEC __attribute__((visibility("default")))
#define NVTX_INLINE_STATIC
#include "nvtx3/nvToolsExt.h"
#include "nvtx3/nvToolsExtCuda.h"
#include "nvtx3/nvToolsExtCudaRt.h"

/* Programs include this by name; everything it promises is in cuda_runtime.h. */
#include "cuda_runtime.h"

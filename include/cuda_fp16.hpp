/* Programs include this by name; everything it promises is in cuda_fp16.h. */
#include "cuda_fp16.h"

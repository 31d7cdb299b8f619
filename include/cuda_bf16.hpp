/* Programs include this by name; everything it promises is in cuda_bf16.h. */
#include "cuda_bf16.h"

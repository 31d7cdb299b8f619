/* All of it is in vector_functions.h. */
#include "vector_functions.h"

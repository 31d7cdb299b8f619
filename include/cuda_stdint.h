/* Integers of known sizes. */
#include <stdint.h>

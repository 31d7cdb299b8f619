/* What a cooperative launch gives to its grid: part of sync.h. */
#include "sync.h"

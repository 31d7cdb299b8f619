#pragma once
#include <hip/host_defines.h>

/* What a CUDA program includes, and what the compile driver includes for it, as nvcc does. */
#ifndef LOCKSTEP_CUDA_RUNTIME_H
#define LOCKSTEP_CUDA_RUNTIME_H
/* Programs ask for CUDA's own include guard, too. */
#define __CUDA_RUNTIME_H__
#include "channel_descriptor.h"
#include "cuda_device_runtime_api.h"
#include "cuda_runtime_api.h"
#include "device_types.h"
#include "host_defines.h"
#include "vector_functions.h"
#include "vector_types.h"
#if defined(__CUDA__) && defined(__clang__)
#include "lockstep/device.h"
#include "lockstep/managed.h"
#include "lockstep/nested-launch.h"
#include "lockstep/shared-storage.h"
#include "lockstep/relocatable.h"
#include "lockstep/textures.h"
#endif
#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include "lockstep/runtime-templates.h"
#endif

#endif

/* The version that programs ask for: the libraries that came with CUDA 12.5. Some of what later versions
 * brought is there, too. */
#ifndef LOCKSTEP_CCCL_VERSION_H
#define LOCKSTEP_CCCL_VERSION_H
#define CCCL_VERSION 2004000
#define CCCL_MAJOR_VERSION 2
#define CCCL_MINOR_VERSION 4
#define CCCL_PATCH_VERSION 0
#define _LIBCUDACXX_CUDA_API_VERSION 2004000
#define _LIBCUDACXX_CUDA_API_VERSION_MAJOR 2
#define _LIBCUDACXX_CUDA_API_VERSION_MINOR 4
#define _LIBCUDACXX_CUDA_API_VERSION_PATCH 0
#define _LIBCUDACXX_CUDA_ABI_VERSION 4
#endif

/* How a surface treats what lies outside of it. Names and values are those of CUDA 12.5. */
#ifndef LOCKSTEP_SURFACE_TYPES_H
#define LOCKSTEP_SURFACE_TYPES_H
/* Programs ask for CUDA's own include guard, too. */
#define __SURFACE_TYPES_H__
#include "driver_types.h"

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

/* CUDA 11's. */
struct surfaceReference {
    struct cudaChannelFormatDesc channelDesc;
};

#endif

/* Rounding modes, by number. */
#ifndef LOCKSTEP_DEVICE_TYPES_H
#define LOCKSTEP_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__
#include "host_defines.h"
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
#endif

/* How a result is rounded, where a function takes it as an argument. */
#ifndef LOCKSTEP_DEVICE_TYPES_H
#define LOCKSTEP_DEVICE_TYPES_H

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif

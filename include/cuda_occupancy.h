/* CUDA's occupancy calculator for any GPU that a program describes to it
 * (cudaOccMaxActiveBlocksPerMultiprocessor and its family) is not there: nothing is declared here. Thrust
 * includes this header and uses nothing of it. The runtime's cudaOccupancy functions and `lockstep occupancy`
 * calculate for the chosen GPU. */
#ifndef LOCKSTEP_CUDA_OCCUPANCY_H
#define LOCKSTEP_CUDA_OCCUPANCY_H
#endif

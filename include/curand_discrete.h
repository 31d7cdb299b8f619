// Tables of discrete distributions, as curandCreatePoissonDistribution makes them in memory that the device
// sees.
#pragma once

#include <curand.h>

struct curandDistributionShift_st {
    curandDistribution_t probability;
    curandDistribution_t host_probability;
    unsigned int shift;
    unsigned int length;
    unsigned int host_gen;
};

// Robin Hood's method (Marsaglia, Tsang, Wang: Fast generation of discrete random variables, 2004): column j
// of a square histogram is j up to V[j], and K[j] above.
struct curandHistogramM2_st {
    curandHistogramM2V_t V;
    curandHistogramM2V_t host_V;
    curandHistogramM2K_t K;
    curandHistogramM2K_t host_K;
    unsigned int host_gen;
};

struct curandDistributionM2Shift_st {
    curandHistogramM2_t histogram;
    curandHistogramM2_t host_histogram;
    unsigned int shift;
    unsigned int length;
    unsigned int host_gen;
};

struct curandDiscreteDistribution_st {
    curandDiscreteDistribution_t self_host_ptr;
    curandDistributionM2Shift_t M2;
    curandDistributionM2Shift_t host_M2;
    double stddev;
    double mean;
    curandMethod_t method;
    unsigned int host_gen;
};

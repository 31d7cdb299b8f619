// Poisson's distribution as tables on the device.
#pragma once
#include <curand_discrete.h>

namespace lockstep::curand {

// From this mean on rounded normal deviates serve in place of a table.
constexpr double gauss_from = 2000;

curandStatus_t make_histogram(double mean, curandDiscreteDistribution_t* made);
curandStatus_t make_cumulative(double mean, curandDistributionShift_t* made);

// The tables of the mean that was asked for last.
class PoissonTables {
  public:
    PoissonTables() = default;
    PoissonTables(const PoissonTables&) = delete;
    ~PoissonTables() { forget(); }

    curandStatus_t histogram(double mean, curandDiscreteDistribution_t* found) {
        choose(mean);
        const curandStatus_t status =
            histogram_ == nullptr ? make_histogram(mean, &histogram_) : CURAND_STATUS_SUCCESS;
        *found = histogram_;
        return status;
    }
    curandStatus_t cumulative(double mean, curandDistributionShift_t* found) {
        choose(mean);
        const curandStatus_t status =
            cumulative_ == nullptr ? make_cumulative(mean, &cumulative_) : CURAND_STATUS_SUCCESS;
        *found = cumulative_;
        return status;
    }

  private:
    void choose(double mean) {
        if (mean == mean_) return;
        forget();
        mean_ = mean;
    }
    void forget() {
        cudaFree(histogram_);
        cudaFree(cumulative_);
        histogram_ = nullptr;
        cumulative_ = nullptr;
    }

    double mean_ = 0;
    curandDiscreteDistribution_t histogram_ = nullptr;
    curandDistributionShift_t cumulative_ = nullptr;
};

}  // namespace lockstep::curand

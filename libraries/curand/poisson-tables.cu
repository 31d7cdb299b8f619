#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "curand/generator.h"
#include "curand/poisson-tables.h"

namespace lockstep::curand {

namespace {

// All probabilities that are not 0 as a double.
struct Probabilities {
    unsigned int first = 0;
    std::vector<double> of;
};

Probabilities probabilities(double mean) {
    const double logarithm = std::log(mean);
    const auto of = [&](double k) { return std::exp(-mean + k * logarithm - std::lgamma(k + 1)); };
    Probabilities result;
    result.first = static_cast<unsigned int>(mean);
    while (result.first > 0 && of(result.first - 1) > 0) --result.first;
    for (unsigned int k = result.first; k <= mean || of(k) > 0; ++k) result.of.push_back(of(k));
    return result;
}

// The square histogram: who has less than the average is filled up by the last who has more, in ascending
// order, over and over, since who gives may come to have less. This order decides which value a random number
// becomes.
struct Histogram {
    std::vector<double> splits;
    std::vector<unsigned int> others;
};

Histogram square_histogram(std::vector<double> left) {
    const std::size_t length = left.size();
    const double average = 1.0 / static_cast<double>(length);
    // One column more: a uniform number may be 1.
    Histogram result{std::vector<double>(length + 1, 2.0), std::vector<unsigned int>(length + 1)};
    std::vector<bool> full(length);
    std::size_t giver = length;
    for (bool filled = true; filled;) {
        filled = false;
        for (std::size_t column = 0; column < length; ++column) {
            if (full[column] || left[column] >= average) continue;
            while (giver > 0 && !(left[giver - 1] > average)) --giver;
            if (giver == 0) break;
            result.splits[column] = static_cast<double>(column) * average + left[column];
            result.others[column] = static_cast<unsigned int>(giver - 1);
            left[giver - 1] -= average - left[column];
            full[column] = filled = true;
        }
    }
    result.splits[length] = 0;
    result.others[length] = static_cast<unsigned int>(length - 1);
    return result;
}

// One piece of device memory: what is appended to it, and where it will be.
class Image {
  public:
    template <typename T>
    std::size_t append(const T* values, std::size_t count) {
        bytes_.resize((bytes_.size() + 15) / 16 * 16);
        const std::size_t at = bytes_.size();
        bytes_.resize(at + count * sizeof(T));
        std::memcpy(bytes_.data() + at, values, count * sizeof(T));
        return at;
    }
    template <typename T>
    T* at(std::size_t offset) {
        return reinterpret_cast<T*>(bytes_.data() + offset);
    }
    std::size_t size() const { return bytes_.size(); }
    const char* data() const { return bytes_.data(); }

  private:
    std::vector<char> bytes_;
};

template <typename T>
T* moved(void* base, std::size_t offset) {
    return reinterpret_cast<T*>(static_cast<char*>(base) + offset);
}

}  // namespace

curandStatus_t make_histogram(double mean, curandDiscreteDistribution_t* made) {
    curandDiscreteDistribution_st distribution = {};
    distribution.mean = mean;
    distribution.stddev = std::sqrt(mean);
    distribution.method = mean < gauss_from ? CURAND_M2 : CURAND_DISCRETE_GAUSS;
    Image image;
    image.append(&distribution, 1);
    curandDistributionM2Shift_st m2 = {};
    curandHistogramM2_st histogram = {};
    std::size_t m2_at = 0, histogram_at = 0, splits_at = 0, others_at = 0;
    if (distribution.method == CURAND_M2) {
        const Probabilities all = probabilities(mean);
        const Histogram square = square_histogram(all.of);
        m2.shift = all.first;
        m2.length = static_cast<unsigned int>(all.of.size());
        m2_at = image.append(&m2, 1);
        histogram_at = image.append(&histogram, 1);
        splits_at = image.append(square.splits.data(), square.splits.size());
        others_at = image.append(square.others.data(), square.others.size());
    }
    void* device = nullptr;
    if (cudaMalloc(&device, image.size()) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
    if (m2_at != 0) {
        image.at<curandDiscreteDistribution_st>(0)->M2 = moved<curandDistributionM2Shift_st>(device, m2_at);
        image.at<curandDistributionM2Shift_st>(m2_at)->histogram =
            moved<curandHistogramM2_st>(device, histogram_at);
        image.at<curandHistogramM2_st>(histogram_at)->V = moved<double>(device, splits_at);
        image.at<curandHistogramM2_st>(histogram_at)->K = moved<unsigned int>(device, others_at);
    }
    if (cudaMemcpy(device, image.data(), image.size(), cudaMemcpyHostToDevice) != cudaSuccess) {
        cudaFree(device);
        return CURAND_STATUS_INITIALIZATION_FAILED;
    }
    *made = static_cast<curandDiscreteDistribution_t>(device);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t make_cumulative(double mean, curandDistributionShift_t* made) {
    const Probabilities all = probabilities(mean);
    std::vector<double> sums;
    double sum = 0;
    for (const double one : all.of) sums.push_back(sum += one);
    curandDistributionShift_st distribution = {};
    distribution.shift = all.first;
    distribution.length = static_cast<unsigned int>(sums.size());
    Image image;
    image.append(&distribution, 1);
    const std::size_t sums_at = image.append(sums.data(), sums.size());
    void* device = nullptr;
    if (cudaMalloc(&device, image.size()) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
    image.at<curandDistributionShift_st>(0)->probability = moved<double>(device, sums_at);
    if (cudaMemcpy(device, image.data(), image.size(), cudaMemcpyHostToDevice) != cudaSuccess) {
        cudaFree(device);
        return CURAND_STATUS_INITIALIZATION_FAILED;
    }
    *made = static_cast<curandDistributionShift_t>(device);
    return CURAND_STATUS_SUCCESS;
}

}  // namespace lockstep::curand

curandStatus_t curandCreatePoissonDistribution(double lambda,
                                               curandDiscreteDistribution_t* discrete_distribution) {
    if (discrete_distribution == nullptr || !lockstep::curand::allowed_mean(lambda))
        return CURAND_STATUS_OUT_OF_RANGE;
    return lockstep::curand::make_histogram(lambda, discrete_distribution);
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t discrete_distribution) {
    if (discrete_distribution == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    return cudaFree(discrete_distribution) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                          : CURAND_STATUS_INTERNAL_ERROR;
}

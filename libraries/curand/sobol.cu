// Quasirandom generators: a dimension after another, each a point of the sequence a thread.
#include <curand_kernel.h>

#include "curand/generator.h"
#include "curand/poisson-tables.h"

namespace lockstep::curand {

namespace {

// `vectors` has those of all dimensions, `starts` where each begins.
template <typename Index, typename Convert>
__global__ void generate_sobol(const Index* vectors, const Index* starts, Index offset, Convert convert,
                               typename Convert::Element* out, long long points) {
    constexpr int width = 8 * sizeof(Index);
    __shared__ Index directions[width];
    for (int i = threadIdx.x; i < width; i += blockDim.x) directions[i] = vectors[blockIdx.y * width + i];
    __syncthreads();
    const Index start = starts == nullptr ? 0 : starts[blockIdx.y];
    for (long long point = blockIdx.x * blockDim.x + threadIdx.x; point < points;
         point += gridDim.x * blockDim.x) {
        const Index index = offset + static_cast<Index>(point);
        Index x = start;
        int bit = 0;
        for (Index gray = index ^ (index >> 1); gray != 0; gray >>= 1, ++bit)
            if ((gray & 1) != 0) x ^= directions[bit];
        out[blockIdx.y * points + point] = convert(x);
    }
}

template <typename Index>
struct ToBits {
    using Element = Index;
    __device__ Index operator()(Index x) const { return x; }
};
template <typename Index>
struct ToUniform {
    using Element = float;
    __device__ float operator()(Index x) const { return _curand_uniform(x); }
};
template <typename Index>
struct ToUniformDouble {
    using Element = double;
    __device__ double operator()(Index x) const { return _curand_uniform_double(x); }
};
template <typename Index, bool logarithmic>
struct ToNormal {
    using Element = float;
    float mean, stddev;
    __device__ float operator()(Index x) const {
        const float deviate = mean + stddev * _curand_normal_icdf(x);
        return logarithmic ? expf(deviate) : deviate;
    }
};
template <typename Index, bool logarithmic>
struct ToNormalDouble {
    using Element = double;
    double mean, stddev;
    __device__ double operator()(Index x) const {
        const double deviate = mean + stddev * _curand_normal_icdf_double(x);
        return logarithmic ? exp(deviate) : deviate;
    }
};
template <typename Index>
struct ToHistogram {
    using Element = unsigned int;
    curandDiscreteDistribution_t distribution;
    __device__ unsigned int operator()(Index x) const {
        return lockstep_curand_histogram(x, distribution->M2);
    }
};
template <typename Index>
struct ToAdded {
    using Element = unsigned int;
    double mean;
    __device__ unsigned int operator()(Index x) const { return lockstep_curand_poisson_search(x, mean); }
};
template <typename Index>
struct ToSearched {
    using Element = unsigned int;
    curandDistributionShift_t distribution;
    __device__ unsigned int operator()(Index x) const {
        const double u = _curand_uniform_double(x);
        unsigned int low = 0, high = distribution->length - 1;
        while (low < high) {
            const unsigned int middle = (low + high) / 2;
            if (u <= distribution->probability[middle])
                high = middle;
            else
                low = middle + 1;
        }
        return distribution->shift + low;
    }
};
template <typename Index>
struct ToRounded {
    using Element = unsigned int;
    double mean;
    __device__ unsigned int operator()(Index x) const {
        return static_cast<unsigned int>(sqrt(mean) * _curand_normal_icdf(x) + mean + 0.5);
    }
};

template <typename Index>
class SobolEngine : public Engine {
  public:
    explicit SobolEngine(bool scrambled) : scrambled_(scrambled) {}
    ~SobolEngine() override {
        cudaFree(vectors_);
        cudaFree(starts_);
    }

    curandStatus_t start(const Start& start) override {
        const unsigned int dimensions = start.dimensions;
        offset_ = static_cast<Index>(start.offset);
        if (dimensions == dimensions_) return CURAND_STATUS_SUCCESS;
        cudaFree(vectors_);
        cudaFree(starts_);
        vectors_ = starts_ = nullptr;
        dimensions_ = 0;
        const std::size_t bytes = dimensions * sizeof(Index) * (8 * sizeof(Index));
        if (cudaMalloc(&vectors_, bytes) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
        if (cudaMemcpy(vectors_, direction_vectors<Index>(scrambled_), bytes, cudaMemcpyHostToDevice) !=
            cudaSuccess)
            return CURAND_STATUS_INITIALIZATION_FAILED;
        if (scrambled_) {
            if (cudaMalloc(&starts_, dimensions * sizeof(Index)) != cudaSuccess)
                return CURAND_STATUS_ALLOCATION_FAILED;
            if (cudaMemcpy(starts_, scramble_constants<Index>(), dimensions * sizeof(Index),
                           cudaMemcpyHostToDevice) != cudaSuccess)
                return CURAND_STATUS_INITIALIZATION_FAILED;
        }
        dimensions_ = dimensions;
        return CURAND_STATUS_SUCCESS;
    }

    curandStatus_t generate(const Request& request, cudaStream_t stream) override {
        const float mean = static_cast<float>(request.mean), stddev = static_cast<float>(request.stddev);
        switch (request.wanted) {
            case Wanted::bits:
            case Wanted::wide_bits:
                return (request.wanted == Wanted::wide_bits) == (sizeof(Index) == 8)
                           ? launch(request, stream, ToBits<Index>())
                           : CURAND_STATUS_TYPE_ERROR;
            case Wanted::uniform: return launch(request, stream, ToUniform<Index>());
            case Wanted::uniform_double: return launch(request, stream, ToUniformDouble<Index>());
            case Wanted::normal: return launch(request, stream, ToNormal<Index, false>{mean, stddev});
            case Wanted::log_normal: return launch(request, stream, ToNormal<Index, true>{mean, stddev});
            case Wanted::normal_double:
                return launch(request, stream, ToNormalDouble<Index, false>{request.mean, request.stddev});
            case Wanted::log_normal_double:
                return launch(request, stream, ToNormalDouble<Index, true>{request.mean, request.stddev});
            case Wanted::poisson: return poisson(request, stream);
        }
        return CURAND_STATUS_INTERNAL_ERROR;
    }

  private:
    // How NVIDIA's library divides Poisson's distributions by their means.
    curandStatus_t poisson(const Request& request, cudaStream_t stream) {
        constexpr bool wide = sizeof(Index) == 8;
        if (wide ? request.mean >= gauss_from : request.mean > 8000)
            return launch(request, stream, ToRounded<Index>{request.mean});
        if (wide && request.mean < 2) return launch(request, stream, ToAdded<Index>{request.mean});
        if (!wide && request.mean < 10) {
            curandDiscreteDistribution_t distribution;
            if (const curandStatus_t status = poisson_.histogram(request.mean, &distribution)) return status;
            return launch(request, stream, ToHistogram<Index>{distribution});
        }
        curandDistributionShift_t distribution;
        if (const curandStatus_t status = poisson_.cumulative(request.mean, &distribution)) return status;
        return launch(request, stream, ToSearched<Index>{distribution});
    }

    template <typename Convert>
    curandStatus_t launch(const Request& request, cudaStream_t stream, Convert convert) {
        const long long points = static_cast<long long>(request.count / dimensions_);
        const long long blocks = (points + block - 1) / block;
        const dim3 grid(static_cast<unsigned int>(blocks < 256 ? blocks : 256), dimensions_);
        generate_sobol<<<grid, block, 0, stream>>>(vectors_, starts_, offset_, convert,
                                                   static_cast<typename Convert::Element*>(request.out),
                                                   points);
        if (cudaGetLastError() != cudaSuccess) return CURAND_STATUS_LAUNCH_FAILURE;
        offset_ += static_cast<Index>(points);
        return CURAND_STATUS_SUCCESS;
    }

    static constexpr int block = 128;
    bool scrambled_;
    unsigned int dimensions_ = 0;
    Index offset_ = 0;
    Index *vectors_ = nullptr, *starts_ = nullptr;
    PoissonTables poisson_;
};

}  // namespace

Engine* make_sobol(bool wide, bool scrambled) {
    if (wide) return new SobolEngine<unsigned long long>(scrambled);
    return new SobolEngine<unsigned int>(scrambled);
}

}  // namespace lockstep::curand

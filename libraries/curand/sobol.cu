// Quasirandom generators: a dimension after another, each a point of the sequence a thread.
#include <curand_kernel.h>

#include "curand/generator.h"

namespace lockstep::curand {

namespace {

template <typename Index>
__device__ unsigned int poisson(Index x, double mean) {
    return _curand_poisson(x, mean);
}

// `vectors` has those of all dimensions, `starts` where each begins.
template <typename Index, typename Convert>
__global__ void generate_sobol(const Index* vectors, const Index* starts, Index offset, Convert convert,
                               typename Convert::Element* out, long long points) {
    constexpr int width = 8 * sizeof(Index);
    __shared__ Index directions[width];
    for (int i = threadIdx.x; i < width; i += blockDim.x) directions[i] = vectors[blockIdx.y * width + i];
    __syncthreads();
    const Index start = starts == nullptr ? 0 : starts[blockIdx.y];
    for (long long point = blockIdx.x * blockDim.x + threadIdx.x; point < points; point += gridDim.x * blockDim.x) {
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
struct ToPoisson {
    using Element = unsigned int;
    double mean;
    __device__ unsigned int operator()(Index x) const { return poisson(x, mean); }
};

template <typename Index>
class SobolEngine : public Engine {
public:
    explicit SobolEngine(bool scrambled) : scrambled_(scrambled) {}
    ~SobolEngine() override {
        cudaFree(vectors_);
        cudaFree(starts_);
    }

    curandStatus_t start(unsigned long long, unsigned long long offset, unsigned int dimensions, cudaStream_t) override {
        offset_ = static_cast<Index>(offset);
        if (dimensions == dimensions_) return CURAND_STATUS_SUCCESS;
        cudaFree(vectors_);
        cudaFree(starts_);
        vectors_ = starts_ = nullptr;
        dimensions_ = 0;
        const std::size_t bytes = dimensions * sizeof(Index) * (8 * sizeof(Index));
        if (cudaMalloc(&vectors_, bytes) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
        if (cudaMemcpy(vectors_, direction_vectors<Index>(scrambled_), bytes, cudaMemcpyHostToDevice) != cudaSuccess)
            return CURAND_STATUS_INITIALIZATION_FAILED;
        if (scrambled_) {
            if (cudaMalloc(&starts_, dimensions * sizeof(Index)) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
            if (cudaMemcpy(starts_, scramble_constants<Index>(), dimensions * sizeof(Index), cudaMemcpyHostToDevice) !=
                cudaSuccess)
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
            case Wanted::poisson: return launch(request, stream, ToPoisson<Index>{request.mean});
        }
        return CURAND_STATUS_INTERNAL_ERROR;
    }

private:
    template <typename Convert>
    curandStatus_t launch(const Request& request, cudaStream_t stream, Convert convert) {
        const long long points = static_cast<long long>(request.count / dimensions_);
        const long long blocks = (points + block - 1) / block;
        const dim3 grid(static_cast<unsigned int>(blocks < 256 ? blocks : 256), dimensions_);
        generate_sobol<<<grid, block, 0, stream>>>(vectors_, starts_, offset_, convert,
                                                   static_cast<typename Convert::Element*>(request.out), points);
        if (cudaGetLastError() != cudaSuccess) return CURAND_STATUS_LAUNCH_FAILURE;
        offset_ += static_cast<Index>(points);
        return CURAND_STATUS_SUCCESS;
    }

    static constexpr int block = 128;
    bool scrambled_;
    unsigned int dimensions_ = 0;
    Index offset_ = 0;
    Index *vectors_ = nullptr, *starts_ = nullptr;
};

}  // namespace

Engine* make_sobol(bool wide, bool scrambled) {
    if (wide) return new SobolEngine<unsigned long long>(scrambled);
    return new SobolEngine<unsigned int>(scrambled);
}

}  // namespace lockstep::curand

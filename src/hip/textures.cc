// Texture objects: HIP's description of how a texture is read ends before CUDA's does.
#include "hip/same.h"

using namespace lockstep::hip;

namespace {

constexpr std::size_t described_bytes = sizeof(hipTextureDesc);
static_assert(described_bytes <= sizeof(cudaTextureDesc));

cudaTextureDesc cuda_description(const hipTextureDesc& from) {
    cudaTextureDesc to{};
    std::memcpy(static_cast<void*>(&to), &from, described_bytes);
    return to;
}

}  // namespace

extern "C" {

hipError_t hipCreateTextureObject(hipTextureObject_t* texture, const hipResourceDesc* resource,
                                  const hipTextureDesc* description, const hipResourceViewDesc* view) {
    cudaTextureDesc own{};
    if (description) own = cuda_description(*description);
    return same(&cudaCreateTextureObject, texture, resource,
                static_cast<const cudaTextureDesc*>(description ? &own : nullptr), view);
}

hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* description, hipTextureObject_t texture) {
    cudaTextureDesc own{};
    const hipError_t error = same(&cudaGetTextureObjectTextureDesc, description ? &own : nullptr, texture);
    if (error == hipSuccess) std::memcpy(static_cast<void*>(description), &own, described_bytes);
    return error;
}
}

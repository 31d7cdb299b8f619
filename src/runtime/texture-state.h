// What the runtime remembers of textures beside the devices' objects: how they were described, and what is
// bound to texture references.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "runtime/api.h"

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

namespace lockstep::session {
class Device;
}
namespace lockstep::exec {
class Module;
}

namespace lockstep::runtime {

// A reference of a module that the driver API has loaded.
struct ModuleReference {
    session::Device* device = nullptr;
    exec::Module* module = nullptr;  // null: cuTexRefCreate's
    std::uint64_t variable = 0;      // where the object's number stands; 0: nowhere
    std::uint64_t object = 0;
};

}  // namespace lockstep::runtime

// The types that CUtexref and CUsurfref point to, with what the program has set.
struct CUtexref_st : lockstep::runtime::ModuleReference {
    std::optional<CUDA_RESOURCE_DESC> resource{};
    CUDA_TEXTURE_DESC desc{
        .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};
    CUarray_format format = CU_AD_FORMAT_FLOAT;  // of linear memory
    unsigned channels = 1;
};
struct CUsurfref_st : lockstep::runtime::ModuleReference {
    CUarray array = nullptr;
};

namespace lockstep::runtime {

struct DescribedTexture {
    cudaResourceDesc resource{};
    cudaTextureDesc texture{};
    std::optional<cudaResourceViewDesc> view{};
    std::optional<CUDA_TEXTURE_DESC> driver{};  // as the driver API was told it
};

struct TextureState {
    std::mutex mutex;  // of objects and bound
    std::map<std::pair<const session::Device*, std::uint64_t>, DescribedTexture> objects;
    // The object that stands behind a reference of the host program.
    std::map<std::pair<const session::Device*, const void*>, std::uint64_t> bound;

    std::mutex references_mutex;
    std::map<const void*, std::unique_ptr<CUtexref_st>> references;
    std::map<const void*, std::unique_ptr<CUsurfref_st>> surface_references;
};

// A module goes, or all of the device's (null): so do its references.
void forget_references(const session::Device& device, const exec::Module* module);

}  // namespace lockstep::runtime

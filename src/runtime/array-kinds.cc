// Questions about kinds of arrays that lockstep has none of: there is no way to make one, so that every array
// is of another kind, and the answer is the one that CUDA has for it.
#include <fmt/format.h>

#include "runtime/arrays.h"

using namespace lockstep::runtime;

namespace {

template <class Find>
cudaError_t is_another(const char* name, const void* answer, Find find, const char* kind) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        if (!answer) return null_pointer("answer");
        const auto found = find(current);
        if (!found) return found.outcome;
        return Outcome(Status::invalid_value, fmt::format("the array is not {}", kind));
    });
}

constexpr char planes[] = "one of a video's planes", sparse[] = "sparse", deferred[] = "mapped later";

}  // namespace

extern "C" {

cudaError_t cudaArrayGetPlane(cudaArray_t* plane, cudaArray_t array, unsigned) {
    return is_another(
        "cudaArrayGetPlane", plane, [&](Device& current) { return array_of(current, array); }, planes);
}

cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties* properties, cudaArray_t array) {
    return is_another(
        "cudaArrayGetSparseProperties", properties, [&](Device& current) { return array_of(current, array); },
        sparse);
}

cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties* properties,
                                                  cudaMipmappedArray_t array) {
    return is_another(
        "cudaMipmappedArrayGetSparseProperties", properties,
        [&](Device& current) { return mipmapped_of(current, array); }, sparse);
}

cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements* requirements,
                                           cudaArray_t array, int) {
    return is_another(
        "cudaArrayGetMemoryRequirements", requirements,
        [&](Device& current) { return array_of(current, array); }, deferred);
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements* requirements,
                                                    cudaMipmappedArray_t array, int) {
    return is_another(
        "cudaMipmappedArrayGetMemoryRequirements", requirements,
        [&](Device& current) { return mipmapped_of(current, array); }, deferred);
}
}

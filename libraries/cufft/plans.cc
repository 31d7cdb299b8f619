// Plans by their numbers, and the functions over them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "cufft/plan.h"
#include "cufftXt.h"

namespace lockstep::cufft {
namespace {

struct Plans {
    std::mutex mutex;
    std::vector<std::unique_ptr<Plan>> all;  // a plan's number is one more than its place
};
Plans& plans() {
    static Plans the_plans;
    return the_plans;
}

cufftResult refuse(cufftResult result, const char* function, const char* reason) {
    const char* verbose = std::getenv("LOCKSTEP_VERBOSE");
    if (!verbose || std::strcmp(verbose, "0") != 0)
        std::fprintf(stderr, "lockstep: cufft %s: cufftResult %d: %s\n", function, static_cast<int>(result),
                     reason);
    return result;
}
#define LOCKSTEP_REQUIRE_AS(condition, result) \
    if (!(condition)) return refuse(result, __func__, "must hold: " #condition)
#define LOCKSTEP_REQUIRE(condition) LOCKSTEP_REQUIRE_AS(condition, CUFFT_INVALID_VALUE)

Plan* find(cufftHandle handle) {
    const std::lock_guard lock(plans().mutex);
    const auto place = static_cast<std::size_t>(handle) - 1;
    return place < plans().all.size() ? plans().all[place].get() : nullptr;
}

cufftResult create(cufftHandle* handle) {
    LOCKSTEP_REQUIRE(handle);
    if (cudaFree(nullptr) != cudaSuccess) return CUFFT_SETUP_FAILED;
    const std::lock_guard lock(plans().mutex);
    auto& all = plans().all;
    std::size_t place = 0;
    while (place < all.size() && all[place]) ++place;
    if (place == all.size()) all.emplace_back();
    all[place] = std::make_unique<Plan>();
    *handle = static_cast<cufftHandle>(place) + 1;
    return CUFFT_SUCCESS;
}

bool known(cufftType type) {
    return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
           type == CUFFT_D2Z || type == CUFFT_Z2D;
}

// How many of the last dimension a side has: half of a spectrum of real numbers says all.
long long last_of(const Plan& plan, bool is_half) { return is_half ? plan.n[2] / 2 + 1 : plan.n[2]; }

template <class Int>
Storage storage(const Plan& plan, bool is_half, const Int* embed, long long stride, long long distance) {
    const long long last = last_of(plan, is_half);
    if (!embed) return {{plan.n[0], plan.n[1], last}, 1, plan.n[0] * plan.n[1] * last};
    Storage made = {{1, 1, 1}, stride, distance};
    for (int i = 0; i < plan.rank; ++i) made.embed[3 - plan.rank + i] = embed[i];
    return made;
}

// Without both embeddings the arrays lie without gaps, whatever strides say.
template <class Int>
cufftResult describe(Plan& plan, int rank, const Int* n, const Int* inembed, long long istride,
                     long long idist, const Int* onembed, long long ostride, long long odist, cufftType type,
                     long long batch) {
    LOCKSTEP_REQUIRE(n);
    LOCKSTEP_REQUIRE_AS(known(type), CUFFT_INVALID_TYPE);
    LOCKSTEP_REQUIRE_AS(rank >= 1 && rank <= 3, CUFFT_INVALID_VALUE);
    LOCKSTEP_REQUIRE_AS(batch >= 1, CUFFT_INVALID_SIZE);
    for (int i = 0; i < rank; ++i) LOCKSTEP_REQUIRE_AS(n[i] >= 1, CUFFT_INVALID_SIZE);
    plan.type = type;
    plan.rank = rank;
    plan.batch = batch;
    for (int i = 0; i < rank; ++i) plan.n[3 - rank + i] = n[i];
    plan.basic = !inembed || !onembed;
    plan.in = storage(plan, plan.to_real(), plan.basic ? nullptr : inembed, istride, idist);
    plan.out = storage(plan, plan.from_real(), plan.basic ? nullptr : onembed, ostride, odist);
    return CUFFT_SUCCESS;
}

template <class Int>
cufftResult make(cufftHandle handle, int rank, const Int* n, const Int* inembed, long long istride,
                 long long idist, const Int* onembed, long long ostride, long long odist, cufftType type,
                 long long batch, std::size_t* bytes) {
    Plan* const plan = find(handle);
    if (!plan || plan->made) return CUFFT_INVALID_PLAN;
    const cufftResult described =
        describe(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
    if (described != CUFFT_SUCCESS) return described;
    if (plan->allocates) {
        if (cudaMalloc(&plan->own_area, plan->area_bytes()) != cudaSuccess) return CUFFT_ALLOC_FAILED;
        plan->area = plan->own_area;
    }
    plan->made = true;
    if (bytes) *bytes = plan->area_bytes();
    return CUFFT_SUCCESS;
}

cufftResult make_simple(cufftHandle handle, int rank, const int* n, cufftType type, int batch,
                        std::size_t* bytes) {
    const int* const none = nullptr;
    return make(handle, rank, n, none, 1, 0, none, 1, 0, type, batch, bytes);
}

template <class Make>
cufftResult create_and(cufftHandle* handle, Make make_it) {
    cufftResult result = create(handle);
    if (result != CUFFT_SUCCESS) return result;
    result = make_it(*handle);
    if (result != CUFFT_SUCCESS) cufftDestroy(*handle);
    return result;
}

cufftResult estimate(int rank, const int* n, cufftType type, int batch, std::size_t* bytes) {
    LOCKSTEP_REQUIRE(bytes);
    Plan plan;
    const int* const none = nullptr;
    const cufftResult described = describe(plan, rank, n, none, 1, 0, none, 1, 0, type, batch);
    if (described == CUFFT_SUCCESS) *bytes = plan.area_bytes();
    return described;
}

cufftResult execute(cufftHandle handle, cufftType type, const void* in, void* out, int direction) {
    const Plan* const plan = find(handle);
    if (!plan || !plan->made) return CUFFT_INVALID_PLAN;
    LOCKSTEP_REQUIRE_AS(plan->type == type, CUFFT_INVALID_PLAN);
    LOCKSTEP_REQUIRE(in && out);
    LOCKSTEP_REQUIRE(direction == CUFFT_FORWARD || direction == CUFFT_INVERSE);
    LOCKSTEP_REQUIRE_AS(plan->area, CUFFT_NO_WORKSPACE);
    return transform(*plan, in, out, direction);
}

}  // namespace
}  // namespace lockstep::cufft

using namespace lockstep::cufft;

cufftResult cufftCreate(cufftHandle* handle) { return create(handle); }

cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t* bytes) {
    return make_simple(handle, 1, &nx, type, batch, bytes);
}
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t* bytes) {
    const int n[] = {nx, ny};
    return make_simple(handle, 2, n, type, 1, bytes);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t* bytes) {
    const int n[] = {nx, ny, nz};
    return make_simple(handle, 3, n, type, 1, bytes);
}
cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch,
                              size_t* bytes) {
    return make(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, bytes);
}
cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed, long long ostride,
                                long long odist, cufftType type, long long batch, size_t* bytes) {
    return make(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, bytes);
}

cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType in, long long* onembed,
                                long long ostride, long long odist, cudaDataType out, long long batch,
                                size_t* bytes, cudaDataType computed) {
    const struct {
        cudaDataType in, out, computed;
        cufftType type;
    } rows[] = {
        {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
        {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
        {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D}};
    for (const auto& row : rows)
        if (row.in == in && row.out == out && row.computed == computed)
            return make(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, row.type, batch,
                        bytes);
    return refuse(CUFFT_NOT_SUPPORTED, __func__, "there are transforms of float and double alone");
}

cufftResult cufftPlan1d(cufftHandle* handle, int nx, cufftType type, int batch) {
    return create_and(handle,
                      [&](cufftHandle made) { return cufftMakePlan1d(made, nx, type, batch, nullptr); });
}
cufftResult cufftPlan2d(cufftHandle* handle, int nx, int ny, cufftType type) {
    return create_and(handle, [&](cufftHandle made) { return cufftMakePlan2d(made, nx, ny, type, nullptr); });
}
cufftResult cufftPlan3d(cufftHandle* handle, int nx, int ny, int nz, cufftType type) {
    return create_and(handle,
                      [&](cufftHandle made) { return cufftMakePlan3d(made, nx, ny, nz, type, nullptr); });
}
cufftResult cufftPlanMany(cufftHandle* handle, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
    return create_and(handle, [&](cufftHandle made) {
        return cufftMakePlanMany(made, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                                 nullptr);
    });
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* bytes) {
    return estimate(1, &nx, type, batch, bytes);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* bytes) {
    const int n[] = {nx, ny};
    return estimate(2, n, type, 1, bytes);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* bytes) {
    const int n[] = {nx, ny, nz};
    return estimate(3, n, type, 1, bytes);
}
cufftResult cufftEstimateMany(int rank, int* n, int*, int, int, int*, int, int, cufftType type, int batch,
                              size_t* bytes) {
    return estimate(rank, n, type, batch, bytes);
}
cufftResult cufftGetSize(cufftHandle handle, size_t* bytes) {
    LOCKSTEP_REQUIRE(bytes);
    const Plan* const plan = find(handle);
    if (!plan || !plan->made) return CUFFT_INVALID_PLAN;
    *bytes = plan->area_bytes();
    return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
    Plan* const plan = find(handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    plan->stream = stream;
    return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates) {
    Plan* const plan = find(handle);
    if (!plan || plan->made) return CUFFT_INVALID_PLAN;
    plan->allocates = allocates != 0;
    return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void* area) {
    Plan* const plan = find(handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    if (plan->own_area) cudaFree(plan->own_area);
    plan->own_area = nullptr;
    plan->area = area;
    return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
    Plan* const plan = find(handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    if (plan->own_area) cudaFree(plan->own_area);
    const std::lock_guard lock(plans().mutex);
    plans().all[static_cast<std::size_t>(handle) - 1].reset();
    return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle handle, cufftComplex* in, cufftComplex* out, int direction) {
    return execute(handle, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle handle, cufftReal* in, cufftComplex* out) {
    return execute(handle, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle handle, cufftComplex* in, cufftReal* out) {
    return execute(handle, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction) {
    return execute(handle, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal* in, cufftDoubleComplex* out) {
    return execute(handle, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleReal* out) {
    return execute(handle, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

cufftResult cufftXtExec(cufftHandle handle, void* in, void* out, int direction) {
    const Plan* const plan = find(handle);
    if (!plan || !plan->made) return CUFFT_INVALID_PLAN;
    if (plan->from_real()) direction = CUFFT_FORWARD;
    if (plan->to_real()) direction = CUFFT_INVERSE;
    return execute(handle, plan->type, in, out, direction);
}

cufftResult cufftGetVersion(int* version) {
    LOCKSTEP_REQUIRE(version);
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
    LOCKSTEP_REQUIRE(value);
    switch (type) {
        case MAJOR_VERSION: *value = CUFFT_VER_MAJOR; return CUFFT_SUCCESS;
        case MINOR_VERSION: *value = CUFFT_VER_MINOR; return CUFFT_SUCCESS;
        case PATCH_LEVEL: *value = CUFFT_VER_PATCH; return CUFFT_SUCCESS;
    }
    return CUFFT_INVALID_TYPE;
}

// What kernels of a HIP program may do beyond arithmetic, checked by the host: calls that are not inlined,
// textures and surfaces, products of matrices, the barrier of a grid, random numbers,
// and a kernel that is compiled while the program runs.
// RUN: lockstep run %s
// OUT: ^all good$
// NOT: wrong
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <hiprand/hiprand_kernel.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                                          \
    do {                                                                                     \
        const hipError_t error = call;                                                       \
        if (error != hipSuccess) printf("wrong: %s: %s\n", #call, hipGetErrorString(error)); \
    } while (0)
#define EXPECT(condition) \
    if (!(condition)) printf("wrong: %s (line %d)\n", #condition, __LINE__)

template <class T>
struct Array {
    T* device = nullptr;
    std::vector<T> host;
    explicit Array(size_t count) : host(count) { CHECK(hipMalloc(&device, count * sizeof(T))); }
    ~Array() { CHECK(hipFree(device)); }
    void up() { CHECK(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice)); }
    void down() { CHECK(hipMemcpy(host.data(), device, host.size() * sizeof(T), hipMemcpyDeviceToHost)); }
};

// ---- calls ----

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
    float radius;
    __device__ explicit Disc(float r) : radius(r) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int sum(int a, int b) { return a + b; }
__device__ __noinline__ int product(int a, int b) { return a * b; }
using Operation = int (*)(int, int);
__device__ Operation operations[2] = {sum, product};

// The host finds it, though it is this file's own.
static __device__ int added = 1;

__global__ void call(int* numbers, float* areas, Operation given) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    numbers[i] = fibonacci(i % 10) + operations[i & 1](i, 3) + given(i, 5) + added;
    Shape* shape;
    if (i % 3)
        shape = new Square(float(i));
    else
        shape = new Disc(float(i));
    areas[i] = shape->area();
    delete shape;
}

void calls() {
    Array<int> numbers(256);
    Array<float> areas(256);
    Operation second = nullptr;
    CHECK(hipMemcpyFromSymbol(&second, HIP_SYMBOL(operations), sizeof second, sizeof second));
    const int two = 2;
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(added), &two, sizeof two));
    call<<<2, 128>>>(numbers.device, areas.device, second);
    CHECK(hipGetLastError());
    numbers.down(), areas.down();
    const int known[10] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    int wrong = 0;
    for (int i = 0; i < 256; ++i) {
        wrong += numbers.host[i] != known[i % 10] + (i & 1 ? i * 3 : i + 3) + i * 5 + 2;
        wrong += areas.host[i] != (i % 3 ? float(i) * i : 3.0f * i * i);
    }
    EXPECT(wrong == 0);
}

// ---- textures and surfaces ----

constexpr int width = 40, height = 12, depth = 6;

__global__ void look(hipTextureObject_t line, hipTextureObject_t plane, hipTextureObject_t smooth,
                     hipTextureObject_t volume, hipSurfaceObject_t in, hipSurfaceObject_t out,
                     float4* results) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x >= width) return;
    const int i = y * width + x;
    float4 all;
    all.x = tex1Dfetch<float>(line, i);
    all.y = tex2D<float>(plane, x + 0.5f, y + 0.5f);
    all.z = tex2D<float>(smooth, x + 1.0f, y + 0.5f);
    uchar4 texel;
    surf2Dread(&texel, in, x * (int)sizeof texel, y);
    texel.w = (unsigned char)(texel.x + 1);
    surf2Dwrite(texel, out, x * (int)sizeof texel, y);
    surf2Dwrite(texel, out, -4, y);  // outside
    all.w = tex3D<float>(volume, x % 5 + 0.5f, y % 4 + 0.5f, x % depth + 0.5f);
    results[i] = all;
}

hipTextureObject_t texture_of(const hipResourceDesc& resource, hipTextureFilterMode filter) {
    hipTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = description.addressMode[2] =
        hipAddressModeClamp;
    description.filterMode = filter;
    hipTextureObject_t texture = nullptr;
    CHECK(hipCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

void textures() {
    Array<float> numbers(width * height);
    Array<float4> results(width * height);
    for (int i = 0; i < width * height; ++i) numbers.host[i] = float(i * i % 101);
    numbers.up();

    hipResourceDesc linear = {};
    linear.resType = hipResourceTypeLinear;
    linear.res.linear.devPtr = numbers.device;
    linear.res.linear.desc = hipCreateChannelDesc<float>();
    linear.res.linear.sizeInBytes = numbers.host.size() * sizeof(float);
    const hipTextureObject_t line = texture_of(linear, hipFilterModePoint);

    const hipChannelFormatDesc floats = hipCreateChannelDesc<float>();
    hipArray_t array = nullptr, volume_array = nullptr, bytes_in = nullptr, bytes_out = nullptr;
    CHECK(hipMallocArray(&array, &floats, width, height));
    CHECK(hipMemcpy2DToArray(array, 0, 0, numbers.host.data(), width * sizeof(float), width * sizeof(float),
                             height, hipMemcpyHostToDevice));
    hipResourceDesc picture = {};
    picture.resType = hipResourceTypeArray;
    picture.res.array.array = array;
    const hipTextureObject_t plane = texture_of(picture, hipFilterModePoint);
    const hipTextureObject_t smooth = texture_of(picture, hipFilterModeLinear);

    std::vector<float> cells(5 * 4 * depth);
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = float(i);
    CHECK(hipMalloc3DArray(&volume_array, &floats, make_hipExtent(5, 4, depth), hipArrayDefault));
    hipMemcpy3DParms copy = {};
    copy.srcPtr = make_hipPitchedPtr(cells.data(), 5 * sizeof(float), 5, 4);
    copy.dstArray = volume_array;
    copy.extent = make_hipExtent(5, 4, depth);
    copy.kind = hipMemcpyHostToDevice;
    CHECK(hipMemcpy3D(&copy));
    picture.res.array.array = volume_array;
    const hipTextureObject_t volume = texture_of(picture, hipFilterModePoint);

    const hipChannelFormatDesc bytes = hipCreateChannelDesc<uchar4>();
    CHECK(hipMallocArray(&bytes_in, &bytes, width, height, hipArraySurfaceLoadStore));
    CHECK(hipMallocArray(&bytes_out, &bytes, width, height, hipArraySurfaceLoadStore));
    std::vector<uchar4> texels(width * height), written(width * height);
    for (int i = 0; i < width * height; ++i) texels[i] = make_uchar4(i & 255, 2, 3, 4);
    CHECK(hipMemcpy2DToArray(bytes_in, 0, 0, texels.data(), width * 4, width * 4, height,
                             hipMemcpyHostToDevice));
    hipSurfaceObject_t in = nullptr, out = nullptr;
    picture.res.array.array = bytes_in;
    CHECK(hipCreateSurfaceObject(&in, &picture));
    picture.res.array.array = bytes_out;
    CHECK(hipCreateSurfaceObject(&out, &picture));

    look<<<height, 64>>>(line, plane, smooth, volume, in, out, results.device);
    results.down();
    CHECK(hipMemcpy2DFromArray(written.data(), width * 4, bytes_out, 0, 0, width * 4, height,
                               hipMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int i = y * width + x, next = x + 1 < width ? i + 1 : i;
            const float4 got = results.host[i];
            wrong += got.x != numbers.host[i] || got.y != numbers.host[i];
            wrong += got.z != 0.5f * (numbers.host[i] + numbers.host[next]);
            wrong += got.w != float(x % depth * 20 + y % 4 * 5 + x % 5);
            wrong += written[i].x != (i & 255) || written[i].w != ((i + 1) & 255);
        }
    EXPECT(wrong == 0);
    for (const hipTextureObject_t each : {line, plane, smooth, volume}) CHECK(hipDestroyTextureObject(each));
    CHECK(hipDestroySurfaceObject(in));
    CHECK(hipDestroySurfaceObject(out));
    for (const hipArray_t each : {array, volume_array, bytes_in, bytes_out}) CHECK(hipFreeArray(each));
}

// ---- products of matrices ----

typedef float float16v __attribute__((ext_vector_type(16)));
typedef float float4v __attribute__((ext_vector_type(4)));
typedef _Float16 half4v __attribute__((ext_vector_type(4)));
typedef int int4v __attribute__((ext_vector_type(4)));

// By the layouts that AMD publishes: a lane has a row of A and a column of B, and four rows of D after the
// other.
__global__ void multiply(const float* a, const float* b, float* d32, float* d16, int* di) {
    const int lane = threadIdx.x;
    float16v sum = 0;
    for (int k = 0; k < 8; k += 2)
        sum = __builtin_amdgcn_mfma_f32_32x32x2f32(a[lane % 32 * 8 + k + lane / 32],
                                                   b[(k + lane / 32) * 32 + lane % 32], sum, 0, 0, 0);
    for (int v = 0; v < 16; ++v) d32[(8 * (v / 4) + 4 * (lane / 32) + v % 4) * 32 + lane % 32] = sum[v];
    half4v x, y;
    int x8 = 0, y8 = 0;
    for (int e = 0; e < 4; ++e) {
        const int k = lane / 16 * 4 + e;
        x[e] = (_Float16)a[lane % 16 * 16 + k];
        y[e] = (_Float16)b[k * 16 + lane % 16];
        x8 |= ((int)a[lane % 16 * 16 + k] & 255) << 8 * e;
        y8 |= ((int)b[k * 16 + lane % 16] & 255) << 8 * e;
    }
    const float4v small = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, float4v{1, 1, 1, 1}, 0, 0, 0);
    const int4v whole = __builtin_amdgcn_mfma_i32_16x16x16i8(x8, y8, int4v{2, 2, 2, 2}, 0, 0, 0);
    for (int v = 0; v < 4; ++v) {
        d16[(4 * (lane / 16) + v) * 16 + lane % 16] = small[v];
        di[(4 * (lane / 16) + v) * 16 + lane % 16] = whole[v];
    }
}

void matrices() {
    Array<float> a(256), b(256), d32(1024), d16(256);
    Array<int> di(256);
    for (int i = 0; i < 256; ++i) a.host[i] = float(i * 7 % 13 - 6), b.host[i] = float(i * 5 % 11 - 5);
    a.up(), b.up();
    multiply<<<1, 64>>>(a.device, b.device, d32.device, d16.device, di.device);
    d32.down(), d16.down(), di.down();
    int wrong = 0;
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j) {
            float sum = 0;
            for (int k = 0; k < 8; ++k) sum += a.host[i * 8 + k] * b.host[k * 32 + j];
            wrong += d32.host[i * 32 + j] != sum;
        }
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
            float sum = 0;
            for (int k = 0; k < 16; ++k) sum += a.host[i * 16 + k] * b.host[k * 16 + j];
            wrong += d16.host[i * 16 + j] != sum + 1;
            wrong += di.host[i * 16 + j] != (int)sum + 2;
        }
    EXPECT(wrong == 0);
}

// ---- the barrier of a grid ----

__global__ void rounds(int* values, int count) {
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int round = 0; round < count; ++round) {
        const int next = values[(i + 1) % n];
        grid.sync();
        values[i] = next + 1;
        grid.sync();
    }
}

void grid_barrier() {
    Array<int> values(8 * 128);
    for (size_t i = 0; i < values.host.size(); ++i) values.host[i] = int(i);
    values.up();
    int count = 3;
    void* arguments[] = {&values.device, &count};
    CHECK(hipLaunchCooperativeKernel((void*)rounds, dim3(8), dim3(128), arguments, 0, 0));
    values.down();
    int wrong = 0;
    for (int i = 0; i < 1024; ++i) wrong += values.host[i] != (i + 3) % 1024 + 3;
    EXPECT(wrong == 0);
}

// ---- random numbers ----

__global__ void draw(float* sums, unsigned* first) {
    hiprandState_t state;
    hiprandStatePhilox4_32_10_t philox;
    hiprand_init(1234, threadIdx.x, 0, &state);
    hiprand_init(1234, threadIdx.x, 0, &philox);
    first[threadIdx.x] = hiprand(&state);
    float uniform = 0, normal = 0;
    for (int i = 0; i < 200; ++i) uniform += hiprand_uniform(&state), normal += hiprand_normal(&philox);
    sums[threadIdx.x] = uniform / 200, sums[64 + threadIdx.x] = normal / 200;
}

__global__ void draw_counts(unsigned* counts, double mean) {
    hiprandState state;
    hiprand_init(7, threadIdx.x, 0, &state);
    unsigned sum = 0;
    for (int i = 0; i < 64; ++i) sum += hiprand_poisson(&state, mean);
    counts[threadIdx.x] = sum;
}

// Means and what they may differ by: four times the deviation of a mean of 4096 numbers.
void poisson_numbers() {
    for (const double mean : {5.0, 100.0, 5000.0}) {
        Array<unsigned> counts(64);
        draw_counts<<<1, 64>>>(counts.device, mean);
        counts.down();
        double average = 0;
        for (int i = 0; i < 64; ++i) average += counts.host[i] / 4096.0;
        EXPECT(std::abs(average - mean) < 4 * std::sqrt(mean / 4096));
    }
}

void random_numbers() {
    Array<float> sums(128);
    Array<unsigned> first(64);
    draw<<<1, 64>>>(sums.device, first.device);
    sums.down(), first.down();
    float uniform = 0, normal = 0;
    for (int i = 0; i < 64; ++i) uniform += sums.host[i] / 64, normal += sums.host[64 + i] / 64;
    EXPECT(uniform > 0.48f && uniform < 0.52f);
    EXPECT(normal > -0.05f && normal < 0.05f);
    EXPECT(first.host[0] == 624778773u && first.host[1] == 3522650202u);  // as cuRAND's XORWOW
}

// ---- compiled while the program runs ----

void run_time() {
    const char* const source =
        "#include \"factor.h\"\n"
        "template <class T> __global__ void scale(T* values) { values[threadIdx.x] *= factor; }\n";
    const char *header = "constexpr int factor = 3;\n", *header_name = "factor.h";
    hiprtcProgram program;
    EXPECT(hiprtcCreateProgram(&program, source, "scale.hip", 1, &header, &header_name) == HIPRTC_SUCCESS);
    EXPECT(hiprtcAddNameExpression(program, "scale<float>") == HIPRTC_SUCCESS);
    const char* options[] = {"--gpu-architecture=gfx908", "-O3"};
    EXPECT(hiprtcCompileProgram(program, 2, options) == HIPRTC_SUCCESS);
    size_t size = 0;
    EXPECT(hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS);
    std::vector<char> log(size);
    hiprtcGetProgramLog(program, log.data());
    if (size > 1) printf("wrong: %s\n", log.data());
    const char* name = nullptr;
    EXPECT(hiprtcGetLoweredName(program, "scale<float>", &name) == HIPRTC_SUCCESS);
    EXPECT(hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS);
    std::vector<char> code(size);
    EXPECT(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS);
    hipModule_t module;
    hipFunction_t function;
    CHECK(hipModuleLoadData(&module, code.data()));
    CHECK(hipModuleGetFunction(&function, module, name ? name : ""));
    Array<float> values(64);
    for (int i = 0; i < 64; ++i) values.host[i] = float(i);
    values.up();
    void* arguments[] = {&values.device};
    CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    values.down();
    EXPECT(values.host[63] == 189.0f && values.host[1] == 3.0f);
    CHECK(hipModuleUnload(module));
    EXPECT(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
}

int main() {
    calls();
    textures();
    matrices();
    grid_barrier();
    random_numbers();
    poisson_numbers();
    run_time();
    printf("all good\n");
}

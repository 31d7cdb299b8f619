// Runs one workload of kernels.cl on an OpenCL device and reports its time: the peers' side of the benchmark.
// BENCH_PLATFORM names the platform; `oclgrind opencl-peer …` puts Oclgrind's own OpenCL in place of the
// installed ones. `opencl-peer --platform` only says whether there is one.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <fstream>
#include <iterator>

#include "workloads.h"

namespace {

void check(cl_int status, const char* what) {
    if (status == CL_SUCCESS) return;
    std::fprintf(stderr, "opencl-peer: %s failed with OpenCL error %d\n", what, status);
    std::exit(1);
}

// The platform that BENCH_PLATFORM names, or the first; null where there is none.
cl_platform_id find_platform() {
    std::array<cl_platform_id, 16> platforms{};
    cl_uint count = 0;
    if (clGetPlatformIDs(platforms.size(), platforms.data(), &count) != CL_SUCCESS) return nullptr;
    const char* wanted = std::getenv("BENCH_PLATFORM");
    for (cl_uint i = 0; i < count && i < platforms.size(); ++i) {
        char name[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
        if (!wanted || std::string(name) == wanted) return platforms[i];
    }
    return nullptr;
}

struct Peer {
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;
    std::uint64_t device_bytes = 0;

    explicit Peer(const char* source_path) {
        cl_platform_id platform = find_platform();
        if (!platform) {
            std::fprintf(stderr, "opencl-peer: there is no such OpenCL platform\n");
            std::exit(1);
        }
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
        cl_int status = 0;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
        check(status, "clCreateContext");
        queue = clCreateCommandQueue(context, device, 0, &status);
        check(status, "clCreateCommandQueue");
        std::ifstream in(source_path);
        std::string text{std::istreambuf_iterator<char>(in), {}};
        if (text.empty()) {
            std::fprintf(stderr, "opencl-peer: cannot read %s\n", source_path);
            std::exit(1);
        }
        const char* data = text.c_str();
        program = clCreateProgramWithSource(context, 1, &data, nullptr, &status);
        check(status, "clCreateProgramWithSource");
        if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) != CL_SUCCESS) {
            char log[8192] = "";
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, nullptr);
            std::fprintf(stderr, "opencl-peer: %s\n", log);
            std::exit(1);
        }
    }

    cl_mem buffer(std::size_t bytes) {
        cl_int status = 0;
        cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
        check(status, "clCreateBuffer");
        device_bytes += bytes;
        return m;
    }

    cl_kernel kernel(const char* name) {
        cl_int status = 0;
        cl_kernel k = clCreateKernel(program, name, &status);
        check(status, name);
        return k;
    }

    template <class... Args>
    void launch(cl_kernel k, std::size_t dims, const std::size_t* global, const std::size_t* local,
                Args... args) {
        cl_uint i = 0;
        (check(clSetKernelArg(k, i++, sizeof(args), &args), "clSetKernelArg"), ...);
        check(clEnqueueNDRangeKernel(queue, k, static_cast<cl_uint>(dims), nullptr, global, local, 0, nullptr,
                                     nullptr),
              "clEnqueueNDRangeKernel");
        check(clFinish(queue), "clFinish");
    }

    template <class T>
    std::vector<T> read(cl_mem m, std::size_t count) {
        std::vector<T> host(count);
        check(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, count * sizeof(T), host.data(), 0, nullptr, nullptr),
              "clEnqueueReadBuffer");
        return host;
    }

    // From the host, as Oclgrind would take long over a kernel for it.
    template <class T>
    void fill(cl_mem m, std::size_t count, T (*value)(unsigned)) {
        std::vector<T> host(count);
        for (std::size_t i = 0; i < count; ++i) host[i] = value(static_cast<unsigned>(i));
        check(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, count * sizeof(T), host.data(), 0, nullptr, nullptr),
              "clEnqueueWriteBuffer");
    }
};

void reduction(Peer& peer, const bench::Request& request) {
    std::size_t n = request.size, groups = n / bench::reduction_block;
    cl_mem pristine = peer.buffer(n * 4), in = peer.buffer(n * 4), out = peer.buffer(groups * 4);
    peer.fill(pristine, n, bench::int_input);
    cl_kernel k = peer.kernel(request.workload.c_str());
    std::size_t global = n, local = bench::reduction_block;
    auto restore = [&] {
        check(clEnqueueCopyBuffer(peer.queue, pristine, in, 0, 0, n * 4, 0, nullptr, nullptr),
              "clEnqueueCopyBuffer");
        check(clFinish(peer.queue), "clFinish");
    };
    auto timing = bench::measure(request.repeats, restore, [&] {
        peer.launch(k, 1, &global, &local, in, out, static_cast<cl_uint>(n));
    });
    bool right = bench::right_reduction(peer.read<int>(out, groups), n);
    bench::report(request.workload, n, timing, right, peer.device_bytes);
}

void product(Peer& peer, const bench::Request& request) {
    std::size_t width = request.size, bytes = width * width * 4;
    cl_mem a = peer.buffer(bytes), b = peer.buffer(bytes), c = peer.buffer(bytes);
    peer.fill(a, width * width, bench::float_input);
    peer.fill(b, width * width, bench::float_input);
    cl_kernel k = peer.kernel(request.workload.c_str());
    std::size_t global[] = {width, width}, local[] = {bench::tile, bench::tile};
    auto timing = bench::measure(
        request.repeats, [] {},
        [&] { peer.launch(k, 2, global, local, a, b, c, static_cast<cl_int>(width)); });
    bool right = bench::right_product(peer.read<float>(c, width * width), static_cast<int>(width));
    bench::report(request.workload, width, timing, right, peer.device_bytes);
}

void sum(Peer& peer, const bench::Request& request) {
    std::size_t side = request.size, bytes = side * side * 4;
    cl_mem a = peer.buffer(bytes), b = peer.buffer(bytes), c = peer.buffer(bytes);
    peer.fill(a, side * side, bench::float_input);
    peer.fill(b, side * side, bench::float_input);
    cl_kernel k = peer.kernel("sum_matrix");
    std::size_t global[] = {side, side}, local[] = {bench::sum_block_x, bench::sum_block_y};
    auto timing = bench::measure(
        request.repeats, [] {},
        [&] {
            peer.launch(k, 2, global, local, a, b, c, static_cast<cl_int>(side), static_cast<cl_int>(side));
        });
    bench::report("sum_matrix", side, timing, bench::right_sum(peer.read<float>(c, side * side), 0),
                  peer.device_bytes);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--platform") return find_platform() ? 0 : 1;
    bench::Request request = bench::parse_request(argc, argv);
    const char* source = std::getenv("BENCH_KERNELS_CL");
    Peer peer(source ? source : "bench/kernels.cl");
    if (request.workload == "interleaved" || request.workload == "neighbored")
        reduction(peer, request);
    else if (request.workload == "matmul" || request.workload == "matmul_tiled")
        product(peer, request);
    else if (request.workload == "sum_matrix")
        sum(peer, request);
    else {
        std::fprintf(stderr, "opencl-peer: unknown workload %s\n", request.workload.c_str());
        return 2;
    }
}

// Ranges that a program names stand in the timeline, at simulated time; without one they cost nothing.
// RUN: lockstep timeline --width 100 --trace %t/trace.json --json %t/timeline.json %s
// OUT: ^depths 0 1 0 2$
// OUT: ^ranges +\|\[main=+\]
// OUT: ^ +\|\[all the work=
// OUT: ^ +\|\[launch=+\]\[launch=
// OUT: ^host +\|
// OUT: ^ranges of the program$
// OUT: ^  math: launch: .* in 2 times$
// OUT: ^  here: marked 1 time$
// OUT: ^  other: wide: 0 ns in 2 times$
// OUT: ^  all the work:
// OUT: ^  main:
// RUN: cat %t/trace.json
// OUT: "ranges of thread 1".*"name":"all the work"
// RUN: cat %t/timeline.json
// OUT: "category": "loops"
// OUT: "color": "#76b900"
// OUT: "kind": "mark"
// RUN: lockstep ncu --nvtx --nvtx-include math@launch/ --nvtx-exclude other@wide/ -s 1 --metrics smsp__warps_launched.sum %s
// OUT: ^  spin\(float \*, int\)
// RUN: lockstep ncu --nvtx --nvtx-include 'launch/' --metrics smsp__warps_launched.sum %s
// EXIT: 1
// OUT: No kernels were profiled
// RUN: lockstep profile --nvtx-include '[main' --nvtx-exclude 'all the work' --metrics smsp__warps_launched.sum %s
// EXIT: nonzero
// ERR: nothing to show, no kernel was launched that .* let through; there were spin
// RUN: lockstep ncu --nvtx-include main/ %s
// EXIT: 2
// ERR: need --nvtx
// RUN: lockstep ncu --nvtx --nvtx-include main//x %s
// EXIT: 2
// ERR: --nvtx-include: the name of a range is empty in 'main//x'
// RUN: lockstep run %s
// OUT: ^depths -2 -2 -2 -2$
// RUN: lockstep nvcc -o %t/old -DOLD %s -lnvToolsExt && ldd %t/old && %t/old
// OUT: libnvToolsExt.so.1
// OUT: ^depths -2 -2 -2 -2$
#ifdef OLD
#include <nvToolsExt.h>
#endif
#include <nvtx3/nvToolsExtCudaRt.h>

#include <cstdio>
#include <nvtx3/nvtx3.hpp>
#include <string>
#include <vector>

struct math {
    static constexpr const char* name = "math";
};
struct loops {
    static constexpr const char* name = "loops";
    static constexpr uint32_t id = 7;
};
struct launch_message {
    static constexpr const char* message = "launch";
};

__global__ void spin(float* p, int n) {
    float v = p[threadIdx.x];
    for (int i = 0; i < n; ++i) v = v * 1.5f + 0.25f;
    p[threadIdx.x] = v;
}

void launch(float* p) {
    nvtx3::scoped_range_in<math> r(nvtx3::registered_string_in<math>::get<launch_message>(),
                                   nvtx3::rgb(0x76, 0xb9, 0), nvtx3::named_category_in<math>::get<loops>(),
                                   nvtx3::payload(42));
    spin<<<1, 32>>>(p, 100);
    cudaDeviceSynchronize();
}

int main() {
    NVTX3_FUNC_RANGE();
    float* p;
    cudaMalloc(&p, 128);
    nvtx3::unique_range whole("all the work");
    launch(p);
    nvtxMarkA("here");
    launch(p);
    nvtxDomainHandle_t other = nvtxDomainCreateA("other");
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_UNICODE;
    event.message.unicode = L"wide";
    // Each domain counts its own; main's is the one of the domain without a name.
    int a = nvtxDomainRangePushEx(other, &event), b = nvtxDomainRangePushEx(other, &event);
    nvtxDomainRangePop(other);
    int c = nvtxDomainRangePop(other);
    nvtxRangePushA("x");
    int d = nvtxRangePushA("y");
    nvtxRangePop();
    nvtxRangePop();
    nvtxNameCudaStream(0, "the stream");
    nvtxRangeEnd(nvtxRangeStartA("s"));
    std::printf("depths %d %d %d %d\n", a, b, c, d);
}

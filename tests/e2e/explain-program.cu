// What explain says of a program as a whole: pageable copies that nothing overlaps, many small kernels with a
// wait behind each (not as a graph), and streams that the default stream keeps apart.
// RUN: lockstep explain --json %t/copies.json %s -- copies
// OUT: ^The program as a whole$
// OUT: copies 9[0-9] %%, both at once 0 %%
// OUT: %%  Copies take longer than what they are for \[copies\]$
// OUT: %%  Copies from and to memory that is not pinned \[pageable-copies\]$
// OUT: GB/s, where pinned memory has 55\.4 to the GPU and 55\.3 back
// RUN: lockstep explain --expect 'program: no pageable-copies' %s -- pinned
// RUN: lockstep explain --expect 'no pageable-copies' %s -- copies
// EXIT: 1
// ERR: program: pageable-copies \(.*\) costs [0-9.]+ %%
// RUN: lockstep explain --expect 'program: no idle-gpu above 50 %%' %s -- small
// EXIT: 1
// OUT: %%  The GPU waits for the next launch \[idle-gpu\]$
// ERR: program: idle-gpu
// RUN: lockstep explain --expect 'program: no idle-gpu above 5 %%' %s -- graph
// OUT: from the first copy or kernel to the last: kernels (9[0-9]|100) %%
// RUN: lockstep explain --expect 'program: no serial-streams' %s -- streams
// RUN: lockstep explain --expect 'program: no serial-streams above 30 %%' %s -- default
// EXIT: 1
// OUT: %%  Small kernels of different streams run one after the other \[serial-streams\]$
// OUT: work of the default stream lies in between
// ERR: program: serial-streams
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void scale(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}
__global__ void turns(float* data, int count) {
    float x = data[threadIdx.x];
    for (int i = 0; i < count; ++i) x = x * 0.5f + 1;
    data[threadIdx.x] = x;
}

int main(int, char** argv) {
    const char* what = argv[1];
    const int n = 1 << 20;
    float *device, *pinned;
    std::vector<float> host(n);
    cudaMalloc(&device, n * sizeof *device);
    cudaMallocHost(&pinned, n * sizeof *pinned);
    if (!std::strcmp(what, "copies") || !std::strcmp(what, "pinned")) {
        float* from = !std::strcmp(what, "pinned") ? pinned : host.data();
        cudaMemcpy(device, from, n * sizeof *device, cudaMemcpyHostToDevice);
        scale<<<n / 256, 256>>>(device, n);
        cudaMemcpy(from, device, n * sizeof *device, cudaMemcpyDeviceToHost);
    } else if (!std::strcmp(what, "small")) {
        for (int i = 0; i < 20; ++i) {
            scale<<<1, 32>>>(device, 32);
            cudaDeviceSynchronize();
        }
    } else if (!std::strcmp(what, "graph")) {
        cudaStream_t stream;
        cudaGraph_t graph;
        cudaGraphExec_t launchable;
        cudaStreamCreate(&stream);
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        for (int i = 0; i < 20; ++i) scale<<<1, 32, 0, stream>>>(device, 32);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&launchable, graph, 0);
        cudaGraphLaunch(launchable, stream);
    } else {
        for (int s = 0; s < 4; ++s) {
            cudaStream_t stream;
            cudaStreamCreate(&stream);
            turns<<<1, 32, 0, stream>>>(device + s * 1024, 20000);
            if (!std::strcmp(what, "default")) scale<<<1, 32>>>(device, 32);
        }
    }
    std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}

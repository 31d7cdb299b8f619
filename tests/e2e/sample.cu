// --sample: blocks that stand for a launch. Counts and times are near those of the whole run, and marked;
// what depends on other blocks is executed whole.
// RUN: for s in "" --sample; do lockstep profile $s --kernels 'saxpy|triangle|border|histogram|lastBlock' --launches --json %t/l$s.json --metrics gpu__time_duration.sum,smsp__inst_executed.sum,smsp__inst_executed_op_global_ld.sum,branch_efficiency,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum %s >/dev/null 2>%t/err$s || true; done; python3 -c 'import json; a, b = (json.load(open("%t/l" + s + ".json"))["launches"] for s in ("", "--sample")); print("launches", len(a), len(b)); [print(y["kernel"].split("(")[0], "part" if y["executed_blocks"] < y["grid"][0] * y["grid"][1] else "whole", *("exact" if y["metrics"][m] == v else "near" if abs(y["metrics"][m] / v - 1) < 0.05 else "far" for m, v in x["metrics"].items() if v and m != "gpu__time_duration.sum"), "time near" if abs(y["metrics"]["gpu__time_duration.sum"] / x["metrics"]["gpu__time_duration.sum"] - 1) < 0.1 else "time far") for x, y in zip(a, b)]'; grep -h sample %t/err--sample
// OUT: ^launches 5 5$
// OUT: ^saxpy part (exact ?)+ time near$
// OUT: ^triangle part (exact |near )+time near$
// OUT: ^border part (exact |near )+time near$
// OUT: ^histogram part (exact |near )+time near$
// OUT: ^lastBlock whole (exact ?)+ time near$
// OUT: ^lockstep: warning: --sample executes some blocks of large launches: what the others would have written is missing
// OUT: ^lockstep: warning: --sample: kernel lastBlock\(.*\) is executed whole: what its threads do depends on what other blocks have done
// RUN: lockstep profile --sample --kernels saxpy -o %t/run %s >%t/out 2>%t/err; echo status $?; grep -c estimated %t/out; lockstep profile --from %t/run --details | grep -m1 'Kernel: saxpy'; lockstep profile --from %t/run --details | grep -c 'estimated$' | sed 's/[1-9][0-9]*/some/'; lockstep profile --from %t/run --json - | python3 -c 'import json,sys; k = json.load(sys.stdin)["kernels"][0]; print("sampled", k["sampled"]["launches"], k["sampled"]["blocks"], k["metrics"]["gld_efficiency"]["kind"] if "gld_efficiency" in k["metrics"] else sorted({m["kind"] for m in k["metrics"].values()}))'; lockstep profile --from %t/run | grep -c 'estimates (--sample): 1 launch was executed in part'; lockstep report %t/run -o %t/page.html; grep -c 'executed in part' %t/page.html
// OUT: ^status 3$
// OUT: ^[1-9]
// OUT: ^ *Kernel: saxpy\(.*\) \(estimated from \d+ of 65536 blocks\)$
// OUT: ^some$
// OUT: ^sampled 1 65536 .*'estimated'
// OUT: ^1$
// OUT: ^[1-9]
// The same on any number of threads.
// RUN: for t in 1 2 3; do lockstep profile --sample --threads $t --launches --csv - %s 2>/dev/null | md5sum; done | sort -u | wc -l
// OUT: ^1$
// RUN: lockstep run --sample %s
// EXIT: 3
// OUT: ^4 results are wrong$
// ERR: --sample: 4 launches were executed in part, \d+ of \d+ blocks; their times are predicted from these$
// RUN: lockstep run %s
// OUT: ^0 results are wrong$
// RUN: lockstep run --sample --clock wall %s; echo status $?
// ERR: LOCKSTEP_SAMPLE=1 predicts times: it needs the simulated clock
// OUT: ^status [1-9]
// RUN: lockstep profile --sample --detailed %s; echo status $?
// ERR: only one of them
// OUT: ^status [1-9]
#include <cstdio>
#include <vector>

constexpr int blocks = 65536, threads = 128, n = blocks * threads;

__global__ void saxpy(float* y, const float* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] += 2 * x[i];
}
// Work that grows over the grid.
__global__ void triangle(float* y, const float* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k <= blockIdx.x / 2048; ++k) sum += x[(i + k * threads) % n];
    y[i] = sum;
}
// The last block of a row is not full, and the last row is empty.
__global__ void border(float* y, const float* x, int width, int height) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (c < width && r < height) y[r * width + c] = x[r * width + c] + 1;
}
__global__ void histogram(unsigned* bins, const float* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[static_cast<int>(x[i]) * 64], 1u);
}
__global__ void lastBlock(unsigned* sum, unsigned* counter, unsigned* result) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        atomicAdd(sum, 1u);
        __threadfence();
        last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) *result = *sum;
}

int main() {
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = static_cast<float>((static_cast<unsigned>(i) * 2654435761u) >> 24);
    float *x, *y;
    unsigned* u;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&u, 65536);
    cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(u, 0, 65536);
    std::vector<float> r(n);
    int wrong = 0;
    const auto check = [&](const auto& expected) {
        cudaMemcpy(r.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
        int different = 0;
        for (int i = 0; i < n; ++i) different += r[i] != expected(i);
        wrong += different != 0;
        cudaMemset(y, 0, n * sizeof(float));
    };
    cudaMemset(y, 0, n * sizeof(float));
    saxpy<<<blocks, threads>>>(y, x);
    check([&](int i) { return 2 * h[i]; });
    triangle<<<blocks, threads>>>(y, x);
    check([&](int i) {
        float sum = 0;
        for (int k = 0; k <= i / threads / 2048; ++k) sum += h[(i + k * threads) % n];
        return sum;
    });
    const int width = 1000, height = 8000;
    border<<<dim3(8, 8064), threads>>>(y, x, width, height);
    check([&](int i) { return i < width * height ? h[i] + 1 : 0; });
    histogram<<<blocks, threads>>>(u, x);
    std::vector<unsigned> bins(16384), expected(256);
    for (int i = 0; i < n; ++i) ++expected[static_cast<unsigned>(h[i])];
    cudaMemcpy(bins.data(), u, 65536, cudaMemcpyDeviceToHost);
    bool same = true;
    for (int b = 0; b < 256; ++b) same &= bins[b * 64] == expected[b];
    wrong += !same;
    cudaMemset(u, 0, 65536);
    lastBlock<<<blocks, 32>>>(u, u + 1024, u + 2048);
    cudaMemcpy(bins.data(), u, 65536, cudaMemcpyDeviceToHost);
    wrong += bins[2048] != blocks;
    std::printf("%d results are wrong\n", wrong);
    return wrong ? 3 : 0;
}

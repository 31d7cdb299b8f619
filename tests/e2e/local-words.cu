// Local arrays and copies of structs go to memory in the words and vectors that nvcc's code has, but for those
// that ptxas keeps in registers (-Xptxas -v tells no stack frame). The counts are those of nvcc 13's PTX.
//
// RUN: lockstep profile --launches --metrics smsp__inst_executed_op_local_st.sum,smsp__inst_executed_op_local_ld.sum,smsp__inst_executed_op_global_ld.sum,smsp__inst_executed_op_global_st.sum %s
// OUT: ^ok$
// OUT: ^ +1  filled +\(1,1,1\) +\(32,1,1\) +0 +0 +18 +1$
// OUT: ^ +2  table +\(1,1,1\) +\(32,1,1\) +0 +0 +2 +1$
// OUT: ^ +3  zeroed +\(1,1,1\) +\(32,1,1\) +41 +1 +2 +1$
// OUT: ^ +4  padded +\(1,1,1\) +\(32,1,1\) +0 +0 +2 +2$
// OUT: ^ +5  both_results +\(1,1,1\) +\(32,1,1\) +0 +0 +1 +1$
#include <cmath>
#include <cstdio>

struct Padded {
    char c;
    short s;
    int i;
    double d;
};

__global__ void filled(int* out, const int* in) {
    int values[16];
    for (int i = 0; i < 16; ++i) values[i] = in[i + threadIdx.x];
    values[in[0]] = 3;
    out[threadIdx.x] = values[in[1]];
}

__global__ void table(int* out, const int* in) {
    int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    values[in[0]] = 9;
    out[threadIdx.x] = values[in[1]];
}

// From 128 bytes on in a loop.
__global__ void zeroed(int* out, const int* in) {
    int values[40] = {};
    values[in[0]] = 3;
    out[threadIdx.x] = values[in[1]];
}

__global__ void padded(Padded* out, const Padded* in) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void both_results(float* out, const float* in) {
    float s, c;
    sincosf(in[threadIdx.x], &s, &c);
    out[threadIdx.x] = s * c;
}

int main() {
    int *in, *out;
    Padded* records;
    float* numbers;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 3 * 32 * sizeof(int));
    cudaMallocManaged(&records, 64 * sizeof(Padded));
    cudaMallocManaged(&numbers, 64 * sizeof(float));
    for (int i = 0; i < 64; ++i) in[i] = i % 8, numbers[i] = 0.25f * i;
    for (int i = 0; i < 32; ++i) records[i] = {static_cast<char>(i), static_cast<short>(2 * i), 3 * i, 0.5 * i};
    filled<<<1, 32>>>(out, in);
    table<<<1, 32>>>(out + 32, in);
    zeroed<<<1, 32>>>(out + 64, in);
    padded<<<1, 32>>>(records + 32, records);
    both_results<<<1, 32>>>(numbers + 32, numbers);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < 32; ++i) {
        const Padded& r = records[i + 32];
        right &= out[i] == (i + 1) % 8 && out[i + 32] == 2 && out[i + 64] == 0;
        right &= r.c == i && r.s == 2 * i && r.i == 3 * i && r.d == 0.5 * i;
        right &= std::fabs(numbers[i + 32] - std::sin(0.25f * i) * std::cos(0.25f * i)) < 1e-6f;
    }
    std::puts(right ? "ok" : "wrong");
}

// Where ptxas is installed, its registers and spills are shown, under -maxrregcount too.
// NEEDS: ptxas
// RUN: lockstep occupancy --gpu h200 %s
// OUT: spills +0 bytes stored, 0 loaded a thread
// OUT: ^registers: ptxas$
// RUN: lockstep occupancy --gpu h200 -maxrregcount=24 --json %s | tr -d ' \n'
// OUT: "registers":24,"registers_source":"ptxas".*"register_bound":24,"spill_store_bytes":[1-9]
// RUN: lockstep occupancy --gpu fermi %s
// OUT: ^registers: estimate \(ptxas: Value 'sm_20'
__global__ void many(float* p) {
    float v[48];
#pragma unroll
    for (int i = 0; i < 48; ++i) v[i] = p[i * 64 + threadIdx.x];
    for (int round = 0; round < 8; ++round) {
#pragma unroll
        for (int i = 0; i < 48; ++i) v[i] = v[i] * v[(i * 7 + 5) % 48] + v[(i * 11 + 3) % 48];
    }
#pragma unroll
    for (int i = 0; i < 48; ++i) p[i * 64 + threadIdx.x] = v[i];
}

int main() {}

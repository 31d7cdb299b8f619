// The lines of a source whose path is not ASCII are found.
// RUN: mkdir -p '%t/Größe 大きさ' && cp %s '%t/Größe 大きさ/カーネル.cu' && lockstep explain -o %t/run.lockstep '%t/Größe 大きさ/カーネル.cu'
// OUT: ^ +カーネル\.cu:[0-9]+: data\[i \* 32\] = data\[i \* 32\] / by;$
// RUN: lockstep profile --from %t/run.lockstep --source
// OUT: カーネル\.cu
// OUT: data\[i \* 32\] = data\[i \* 32\] / by;
__global__ void divided(unsigned* data, unsigned by) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i * 32] = data[i * 32] / by;
}

int main() {
    unsigned* data;
    cudaMalloc(&data, 32 * 65536 * sizeof *data);
    divided<<<256, 256>>>(data, 7);
    return cudaDeviceSynchronize() != cudaSuccess;
}

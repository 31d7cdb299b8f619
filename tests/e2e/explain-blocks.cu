// What the shape of blocks costs: why 64 x 1 threads lose to 64 x 2, why more blocks do not always win, and launches of
// one kernel that differ.
// RUN: lockstep explain -o %t/run.lockstep %s
// RUN: lockstep explain --from %t/run.lockstep --kernels sixty_four_by_one
// OUT: ^ +[5-9][0-9] %%  Blocks end faster than the GPU starts new ones \[block-rate\]$
// OUT: - 262144 blocks of 64 threads in
// OUT: > Fewer blocks that do more each
// RUN: lockstep explain --from %t/run.lockstep --kernels sixty_four_by_two
// OUT: - 131072 blocks of 128 threads in
// RUN: lockstep explain --from %t/run.lockstep --expect 'sixty_four_by_four: no block-rate above 20 %%' --expect 'various: no block-size' --expect 'various: no small-grid'
// RUN: lockstep profile --from %t/run.lockstep --metrics time --expect 'sixty_four_by_one: time >= 150us' --expect 'sixty_four_by_two: time <= 95us' --expect 'sixty_four_by_four: time <= 75us'
__device__ void add(const float* a, const float* b, float* c, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    c[y * width + x] = a[y * width + x] + b[y * width + x];
}
__global__ void sixty_four_by_one(const float* a, const float* b, float* c, int width) { add(a, b, c, width); }
__global__ void sixty_four_by_two(const float* a, const float* b, float* c, int width) { add(a, b, c, width); }
__global__ void sixty_four_by_four(const float* a, const float* b, float* c, int width) { add(a, b, c, width); }
// One thread to begin with, then blocks that are whole: on average neither.
__global__ void various(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main() {
    const int width = 4096;
    float *a, *b, *c;
    cudaMalloc(&a, 4 * width * width);
    cudaMalloc(&b, 4 * width * width);
    cudaMalloc(&c, 4 * width * width);
    cudaMemset(a, 0, 4 * width * width);
    cudaMemset(b, 0, 4 * width * width);
    sixty_four_by_one<<<dim3(width / 64, width), dim3(64, 1)>>>(a, b, c, width);
    sixty_four_by_two<<<dim3(width / 64, width / 2), dim3(64, 2)>>>(a, b, c, width);
    sixty_four_by_four<<<dim3(width / 64, width / 4), dim3(64, 4)>>>(a, b, c, width);
    various<<<1, 1>>>(a);
    various<<<width * width / 64, 64>>>(a);
    return cudaDeviceSynchronize() != cudaSuccess;
}

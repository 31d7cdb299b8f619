// The benchmark kernels in OpenCL, one for one with kernels.cu, for the peers (PoCL, Oclgrind).
#define TILE 16

__kernel void fill_int(__global int* data) {
    uint i = get_global_id(0);
    data[i] = (int)((i * 2654435761u >> 13) & 0xFFu);
}

__kernel void fill_float(__global float* data) {
    uint i = get_global_id(0);
    data[i] = (float)((i * 2654435761u >> 24) & 0xFu);
}

__kernel void neighbored(__global int* in, __global int* out, uint n) {
    uint tid = get_local_id(0);
    __global int* chunk = in + get_group_id(0) * get_local_size(0);
    if (get_global_id(0) >= n) return;
    for (uint stride = 1; stride < get_local_size(0); stride *= 2) {
        if (tid % (2 * stride) == 0) chunk[tid] += chunk[tid + stride];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (tid == 0) out[get_group_id(0)] = chunk[0];
}

__kernel void interleaved(__global int* in, __global int* out, uint n) {
    uint tid = get_local_id(0);
    __global int* chunk = in + get_group_id(0) * get_local_size(0);
    if (get_global_id(0) >= n) return;
    for (uint stride = get_local_size(0) / 2; stride > 0; stride >>= 1) {
        if (tid < stride) chunk[tid] += chunk[tid + stride];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (tid == 0) out[get_group_id(0)] = chunk[0];
}

__kernel void matmul(__global const float* a, __global const float* b, __global float* c, int width) {
    int col = get_global_id(0), row = get_global_id(1);
    if (row >= width || col >= width) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += a[row * width + k] * b[k * width + col];
    c[row * width + col] = sum;
}

__kernel void matmul_tiled(__global const float* a, __global const float* b, __global float* c, int width) {
    __local float left[TILE][TILE], right[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int tile = 0; tile < width / TILE; ++tile) {
        left[ty][tx] = a[row * width + tile * TILE + tx];
        right[ty][tx] = b[(tile * TILE + ty) * width + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) sum += left[ty][k] * right[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * width + col] = sum;
}

__kernel void sum_matrix(__global const float* a, __global const float* b, __global float* c, int nx, int ny) {
    uint ix = get_global_id(0), iy = get_global_id(1);
    uint i = ix + iy * nx;
    if (ix < nx && iy < ny) c[i] = a[i] + b[i];
}

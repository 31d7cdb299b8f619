// Votes, shuffles of every type, matches, reductions, and the barriers with a result.
template <class T>
__device__ T shuffles(T v) {
    v += __shfl_sync(0xffffffff, v, 3) + __shfl_up_sync(0xffffffff, v, 1) + __shfl_down_sync(0xffffffff, v, 2u);
    return v + __shfl_xor_sync(0xffffffff, v, 16) + __shfl_sync(0xff, v, 1, 8) + __shfl_xor_sync(~0u, v, 1, 4);
}
template <class T>
__device__ unsigned matches(T v) {
    int all;
    return __match_any_sync(~0u, v) + __match_all_sync(~0u, v, &all) + all;
}

__global__ void all(int* out, float* f, double* d, long long* ll) {
    int lane = threadIdx.x & 31;
    unsigned active = __activemask();
    __syncwarp();
    __syncwarp(active);
    int r = __any_sync(~0u, lane == 3) + __all_sync(~0u, lane < 32) + __ballot_sync(~0u, lane & 1) + __uni_sync(~0u, 1);
    r += __popc(active) + __ffs(active) + __fns(active, 0, 1);
    r += shuffles(lane) + shuffles((unsigned)lane) + shuffles((long)lane) + shuffles((unsigned long)lane);
    *ll = shuffles((long long)lane) + shuffles((unsigned long long)lane);
    *f = shuffles(1.0f * lane);
    *d = shuffles(1.0 * lane);
    r += matches(lane) + matches((unsigned)lane) + matches((long long)lane) + matches(1.0f * lane) + matches(1.0 * lane);
    r += __reduce_add_sync(~0u, (unsigned)lane) + __reduce_min_sync(~0u, lane) + __reduce_max_sync(~0u, lane);
    r += __reduce_and_sync(~0u, (unsigned)lane) + __reduce_or_sync(~0u, (unsigned)lane) + __reduce_xor_sync(~0u, (unsigned)lane);
    r += __syncthreads_count(lane > 3) + __syncthreads_and(lane > 3) + __syncthreads_or(lane > 3);
    __nanosleep(100);
    __barrier_sync(1);
    __barrier_sync_count(2, 64);
    out[threadIdx.x] = r;
}
int main() {}

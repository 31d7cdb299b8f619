// Barriers and shared memory.
#define KERNEL extern "C" __global__ void
__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL barrier_reductions(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i];
    unsigned r = __syncthreads_count(v & 1);
    r = r * 31 + __syncthreads_and(v < 0x7fffff00u);
    r = r * 31 + __syncthreads_or((v & 0xff) == 0x77);
    r = r * 31 + __syncthreads_and(1) + __syncthreads_or(0) * 2;
    out[i] = r;
}

KERNEL shared_reduction(unsigned* out, const unsigned* in) {
    __shared__ unsigned cells[256];
    unsigned t = threadIdx.x;
    cells[t] = in[index()] & 0xffff;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) cells[t] += cells[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = cells[0];
}

KERNEL scan(unsigned* out, const unsigned* in) {
    __shared__ unsigned a[200], b[200];
    unsigned t = threadIdx.x;
    unsigned *from = a, *to = b;
    from[t] = in[index()] & 0xffff;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        to[t] = from[t] + (t >= d ? from[t - d] : 0);
        unsigned* swap = from;
        from = to, to = swap;
        __syncthreads();
    }
    out[index()] = from[t];
}

// Two groups of warps, each with its own barrier.
KERNEL named_barriers(unsigned* out, const unsigned* in) {
    __shared__ unsigned cells[128];
    unsigned t = threadIdx.x, r;
    if (t < 64) {
        cells[t] = in[t];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        r = cells[63 - t];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        cells[t] = r * 3;
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        r += cells[t ^ 33];
    } else {
        cells[t] = in[t] ^ 0xffff;
        asm volatile("bar.sync 2, 64;" ::: "memory");
        r = cells[191 - t] + cells[64 + ((t * 5) & 63)];
    }
    out[index()] = r;
}

// The first warp produces and goes on; the second consumes.
KERNEL arrive(unsigned* out, const unsigned* in) {
    __shared__ unsigned cells[32];
    unsigned t = threadIdx.x;
    if (t < 32) {
        cells[t] = in[t] + 5;
        __threadfence_block();
        asm volatile("bar.arrive 3, 64;" ::: "memory");
        out[t] = t;
    } else {
        asm volatile("bar.sync 3, 64;" ::: "memory");
        out[t] = cells[63 - t];
    }
}

// Warps that have exited do not hold up the others.
KERNEL exit_before_barrier(unsigned* out, const unsigned* in) {
    __shared__ unsigned cells[128];
    unsigned t = threadIdx.x;
    cells[t] = in[index()];
    __syncthreads();
    if (t >= 64) return;
    cells[t] += cells[t + 64];
    __syncthreads();
    out[blockIdx.x * 64 + t] = cells[63 - t];
}

KERNEL barrier_in_loop(unsigned* out, const unsigned* in) {
    __shared__ unsigned cell;
    unsigned r = 0;
    if (threadIdx.x == 0) cell = 0;
    __syncthreads();
    for (unsigned k = 0; k < 5 + blockIdx.x; ++k) {
        if (threadIdx.x == (k * 13) % blockDim.x) cell = cell * 7 + in[k];
        __syncthreads();
        r ^= cell + k;
        __syncthreads();
    }
    out[index()] = r;
}

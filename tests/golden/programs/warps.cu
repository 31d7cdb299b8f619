// Warp-level instructions.
#define KERNEL extern "C" __global__ void
__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }
constexpr unsigned full = 0xffffffffu;

template <int width>
__device__ unsigned all_shuffles(unsigned v, unsigned lane) {
    unsigned r = __shfl_sync(full, v, lane * 5 + 3, width);
    r = r * 31 + __shfl_up_sync(full, v, 3, width);
    r = r * 31 + __shfl_down_sync(full, v, 2, width);
    r = r * 31 + __shfl_xor_sync(full, v, 5, width);
    r = r * 31 + __shfl_up_sync(full, v, lane & 7, width);
    r = r * 31 + __shfl_down_sync(full, v, lane >> 2, width);
    r = r * 31 + __shfl_xor_sync(full, v, lane, width);
    return r;
}

KERNEL shuffles(unsigned* out, const unsigned* in) {
    unsigned i = index(), lane = i & 31, v = in[i];
    out[i * 5] = all_shuffles<32>(v, lane);
    out[i * 5 + 1] = all_shuffles<16>(v, lane);
    out[i * 5 + 2] = all_shuffles<8>(v, lane);
    out[i * 5 + 3] = all_shuffles<4>(v, lane);
    out[i * 5 + 4] = all_shuffles<1>(v, lane);
}

// Every mode with odd clamps and segment masks, and the predicate that says whether the source was in range.
KERNEL shuffle_predicates(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i], r = 0;
    unsigned b = in[i ^ 17] % 40;
    const unsigned controls[4] = {0x1f, 0x1807, 0x100b, 0x0};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        unsigned d, p, c = controls[k];
        asm volatile("{.reg .pred p; shfl.sync.idx.b32 %0|p, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, p;}"
                     : "=r"(d), "=r"(p) : "r"(v), "r"(b), "r"(c));
        r = r * 31 + d + p;
        asm volatile("{.reg .pred p; shfl.sync.down.b32 %0|p, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, p;}"
                     : "=r"(d), "=r"(p) : "r"(v), "r"(b), "r"(c));
        r = r * 31 + d + p;
        asm volatile("{.reg .pred p; shfl.sync.bfly.b32 %0|p, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, p;}"
                     : "=r"(d), "=r"(p) : "r"(v), "r"(b), "r"(c));
        r = r * 31 + d + p;
        asm volatile("{.reg .pred p; shfl.sync.up.b32 %0|p, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, p;}"
                     : "=r"(d), "=r"(p) : "r"(v), "r"(b), "r"(c & 0x1f00));
        r = r * 31 + d + p;
    }
    out[i] = r;
}

KERNEL shuffles_divergent(unsigned* out, const unsigned* in) {
    unsigned i = index(), lane = i & 31, v = in[i], r;
    unsigned mask = __ballot_sync(full, v & 1);
    if (v & 1) {
        unsigned first = __ffs(mask) - 1;
        r = __shfl_sync(mask, v, first);
        r += __popc(__ballot_sync(mask, v & 4));
    } else {
        unsigned last = 31 - __clz(~mask);
        r = __shfl_sync(~mask, v * 3, last);
        r ^= __shfl_sync(~mask, lane, last);
    }
    // A tree over the low half only, while the high half does something else.
    if (lane < 16) {
        for (int d = 8; d > 0; d >>= 1) r += __shfl_xor_sync(0xffff, r, d, 16);
    } else {
        for (unsigned k = 0; k < lane; ++k) r = r * 3 + k;
    }
    out[i] = r;
}

KERNEL shuffle_reduction(unsigned* out, const unsigned* in) {
    unsigned i = index();
    unsigned sum = in[i] & 0xffff;
    double d = sum;
    unsigned long long wide = in[i] * 0x100000001ull;
    for (int k = 16; k > 0; k >>= 1) {
        sum += __shfl_down_sync(full, sum, k);
        d += __shfl_xor_sync(full, d, k);
        wide ^= __shfl_up_sync(full, wide, k);
    }
    out[i] = sum ^ static_cast<unsigned>(d) ^ static_cast<unsigned>(wide >> 32);
}

KERNEL votes(unsigned* out, const unsigned* in) {
    unsigned i = index(), lane = i & 31, v = in[i], r;
    r = __ballot_sync(full, v & 1);
    r = r * 31 + __all_sync(full, v < 0x7ffffff0u);
    r = r * 31 + __any_sync(full, (v & 0x1f) == 0);
    int uniform;
    asm volatile("{.reg .pred p, q; setp.gt.u32 p, %1, 5; vote.sync.uni.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q;}"
                 : "=r"(uniform) : "r"(v));
    r = r * 31 + uniform;
    if (lane % 3 == 0) {
        unsigned mask = 0x49249249u;
        r = r * 31 + __ballot_sync(mask, v & 2);
        r = r * 31 + __all_sync(mask, v & 0xff);
        r = r * 31 + __any_sync(mask, (v & 0xf) == 3);
    }
    __syncwarp();
    r = r * 31 + __activemask();
    out[i] = r;
}

KERNEL matches(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i], r;
    r = __match_any_sync(full, v & 7);
    unsigned long long wide = (v & 3) * 0x100000001ull;
    r = r * 31 + __match_any_sync(full, wide);
    int same;
    r = r * 31 + __match_all_sync(full, v & 3, &same);
    r = r * 31 + same;
    r = r * 31 + __match_all_sync(full, (i / 32) * 11, &same);
    r = r * 31 + same;
    r = r * 31 + __match_all_sync(full, (unsigned long long)(i / 32) << 33, &same);
    r = r * 31 + same;
    unsigned odd = __ballot_sync(full, v & 1);
    if (v & 1) r = r * 31 + __match_any_sync(odd, v & 6);
    out[i] = r;
}

KERNEL reductions(unsigned* out, const unsigned* in) {
    unsigned i = index(), lane = i & 31, v = in[i], r;
    r = __reduce_add_sync(full, v);
    r = r * 31 + __reduce_min_sync(full, v);
    r = r * 31 + __reduce_max_sync(full, v);
    int s = static_cast<int>(v << 1);
    r = r * 31 + __reduce_add_sync(full, s);
    r = r * 31 + __reduce_min_sync(full, s);
    r = r * 31 + __reduce_max_sync(full, s);
    r = r * 31 + __reduce_and_sync(full, v | 0x7f);
    r = r * 31 + __reduce_or_sync(full, v & 0x1010101);
    r = r * 31 + __reduce_xor_sync(full, v);
    if (lane & 1) r = r * 31 + __reduce_add_sync(0xaaaaaaaau, v);
    else r = r * 31 + __reduce_max_sync(0x55555555u, s);
    out[i] = r;
}

KERNEL elections(unsigned* out, const unsigned* in) {
    unsigned i = index(), lane = i & 31, leader, chosen, r;
    asm volatile("{.reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p;}" : "=r"(leader), "=r"(chosen));
    r = leader * 2 + chosen;
    if (lane >= 9) {
        asm volatile("{.reg .pred p; elect.sync %0|p, 0xfffffe00; selp.u32 %1, 1, 0, p;}" : "=r"(leader), "=r"(chosen));
        r = r * 100 + leader * 2 + chosen;
    }
    out[i] = r + (in[i] & 0xff00);
}

// Lanes of one warp hand values to each other through shared memory, from different places of the program.
KERNEL warp_sync(unsigned* out, const unsigned* in) {
    __shared__ unsigned box[128];
    unsigned t = threadIdx.x, i = index(), lane = t & 31;
    if (lane < 11) {
        box[t] = in[i] * 3;
        __syncwarp();
    } else if (lane < 20) {
        box[t] = in[i] ^ 0xff;
        __syncwarp();
    } else {
        box[t] = lane;
        __syncwarp();
    }
    unsigned other = box[t ^ 31];
    __syncwarp();
    if (lane & 1) {
        box[t] = other + 1;
        __syncwarp(0xaaaaaaaau);
        other += box[(t & ~31u) + ((lane + 2) & 31)];
        __syncwarp(0xaaaaaaaau);
    }
    out[i] = other;
}

KERNEL partial_warp(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i];
    // 45 threads a block: the second warp has 13 lanes.
    unsigned mask = threadIdx.x < 32 ? full : (1u << 13) - 1;
    unsigned r = __ballot_sync(mask, v & 1);
    r = r * 31 + __shfl_xor_sync(mask, v, 4) * (threadIdx.x < 32 || (threadIdx.x & 31) < 8);
    r = r * 31 + __reduce_add_sync(mask, v);
    r = r * 31 + __match_any_sync(mask, v & 3);
    out[i] = r + __popc(__activemask());
}

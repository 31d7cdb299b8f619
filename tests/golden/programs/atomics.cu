// Atomics whose results do not depend on the order of the threads.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#define KERNEL extern "C" __global__ void
__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL atomics_global(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i];
    atomicAdd(&out[0], v);
    atomicAdd((int*)&out[1], (int)(v << 1));
    atomicSub(&out[2], v);
    atomicMin((int*)&out[3], (int)(v << 1));
    atomicMax((int*)&out[4], (int)(v << 1));
    atomicMax(&out[5], v << 1);
    atomicOr(&out[6], 1u << (v & 31));
    atomicXor(&out[7], v);
    atomicAnd(&out[8], v);
    atomicInc(&out[9], 1000u);
    atomicDec(&out[10], 777u);
    atomicAdd((float*)&out[11], (float)(v & 0xff));
    atomicAdd((double*)&out[12], (double)(v & 0xfffff));
    atomicAdd((unsigned long long*)&out[14], (unsigned long long)v << 20);
    atomicMax((unsigned long long*)&out[16], (unsigned long long)v << 33);
    atomicMin((long long*)&out[18], (long long)((unsigned long long)v << 33));
    atomicOr((unsigned long long*)&out[20], 1ull << (v & 63));
    atomicXor((unsigned long long*)&out[22], (unsigned long long)v * 0x100000001ull);
    atomicAdd((__half2*)&out[24], __floats2half2_rn(1.0f, (float)(v & 1)));
    atomicAdd((__nv_bfloat162*)&out[25], __floats2bfloat162_rn((float)(i < 100), (float)(v % 16 == 0)));
    // Every old value is seen once.
    unsigned ticket = atomicAdd(&out[26], 1u);
    atomicXor(&out[32 + ticket % 64], ticket * 7 + 1);
    // A compare-and-swap loop.
    unsigned old = out[27], seen;
    do {
        seen = old;
        old = atomicCAS(&out[27], seen, seen * 1u + (v % 97));
    } while (old != seen);
    unsigned long long wide = *(volatile unsigned long long*)&out[28], before;
    do {
        before = wide;
        wide = atomicCAS((unsigned long long*)&out[28], before, before + v);
    } while (wide != before);
}

KERNEL atomics_shared(unsigned* out, const unsigned* in) {
    __shared__ unsigned cells[32];
    __shared__ unsigned long long wide[4];
    __shared__ float f;
    __shared__ double d;
    unsigned t = threadIdx.x, v = in[index()];
    if (t < 32) cells[t] = t == 3 ? 0x7fffffff : 0;
    if (t < 4) wide[t] = 0;
    if (t == 0) f = 0, d = 0;
    __syncthreads();
    atomicAdd(&cells[0], v);
    atomicAdd(&cells[1 + (v & 1)], 1u);
    atomicMin((int*)&cells[3], (int)v);
    atomicMax(&cells[4], v);
    atomicOr(&cells[5], v & 0x1010101);
    atomicXor(&cells[6], v);
    atomicInc(&cells[7], 29u);
    atomicDec(&cells[8], 55u);
    atomicAdd(&f, (float)(v & 0xff));
    atomicAdd(&d, (double)(v & 0xff));
    atomicAdd(&wide[0], (unsigned long long)v << 30);
    atomicMax(&wide[1], (unsigned long long)v << 31);
    unsigned ticket = atomicAdd(&cells[9], 1u);
    atomicXor(&cells[16 + (ticket & 15)], ticket * 3 + 1);
    __syncthreads();
    unsigned* to = out + blockIdx.x * 64;
    if (t < 32) to[t] = cells[t];
    if (t == 0) {
        to[32] = __float_as_uint(f);
        *(double*)&to[34] = d;
        *(unsigned long long*)&to[36] = wide[0];
        *(unsigned long long*)&to[38] = wide[1];
    }
}

KERNEL histogram(unsigned* out, const unsigned* in) {
    __shared__ unsigned bins[64];
    unsigned t = threadIdx.x;
    if (t < 64) bins[t] = 0;
    __syncthreads();
    for (unsigned k = index(); k < 4096; k += gridDim.x * blockDim.x) atomicAdd(&bins[in[k] >> 25], 1u);
    __syncthreads();
    if (t < 64) atomicAdd(&out[t], bins[t]);
}

// One lane at a time per address: the returned values are then defined too.
KERNEL atomic_returns(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i], r = 0;
    unsigned* cell = out + 4096 + i * 2;
    r = r * 31 + atomicAdd(cell, v);
    r = r * 31 + atomicSub(cell, v >> 1);
    r = r * 31 + atomicMin((int*)cell, (int)(v << 2));
    r = r * 31 + atomicMax((int*)cell, (int)(v << 3));
    r = r * 31 + atomicMin(cell, v ^ 0x5555);
    r = r * 31 + atomicMax(cell, v);
    r = r * 31 + atomicAnd(cell, 0xfffff0ff);
    r = r * 31 + atomicOr(cell, 0x100);
    r = r * 31 + atomicXor(cell, v << 7);
    r = r * 31 + atomicInc(cell, v);
    r = r * 31 + atomicDec(cell, v);
    r = r * 31 + atomicExch(cell, 12);
    r = r * 31 + atomicCAS(cell, 12u, v);
    r = r * 31 + atomicCAS(cell, 12u, 99u);
    r = r * 31 + __float_as_uint(atomicExch((float*)cell, 1.5f));
    r = r * 31 + __float_as_uint(atomicAdd((float*)cell, 0.1f));
    r = r * 31 + __float_as_uint(atomicAdd((float*)cell, 1e-39f));
    atomicExch((unsigned long long*)cell, 0x3ff8000000000000ull + v);
    double d = atomicAdd((double*)cell, 0.1);
    r = r * 31 + (unsigned)(__double_as_longlong(d) >> 32);
    unsigned long long w = atomicAdd((unsigned long long*)cell, 1ull << 40);
    w ^= atomicMax((unsigned long long*)cell, (unsigned long long)v << 32);
    w ^= atomicMin((long long*)cell, (long long)v);
    w ^= atomicCAS((unsigned long long*)cell, (unsigned long long)v, 5ull);
    w ^= atomicExch((unsigned long long*)cell, w);
    out[i] = r ^ (unsigned)w ^ (unsigned)(w >> 32);
}

KERNEL atomics_ptx(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i], r = 0, d;
    unsigned* cell = out + 1024 + i;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(d) : "l"(cell), "r"(v));
    r = r * 31 + d;
    asm volatile("atom.relaxed.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(d) : "l"(cell), "r"(v + 1));
    r = r * 31 + d;
    asm volatile("atom.acq_rel.cta.global.cas.b32 %0, [%1], %2, 77;" : "=r"(d) : "l"(cell), "r"(v + 1));
    r = r * 31 + d;
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(cell), "r"(v));
    asm volatile("red.relaxed.sys.global.max.s32 [%0], %1;" ::"l"(cell), "r"(v));
    unsigned short h = 0, expected = (unsigned short)v, fresh = 9;
    asm volatile("st.global.u16 [%0], %1;" ::"l"(cell), "h"(expected) : "memory");
    asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;" : "=h"(h) : "l"(cell), "h"(expected), "h"(fresh) : "memory");
    r = r * 31 + h;
    asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;" : "=h"(h) : "l"(cell), "h"((unsigned short)0x0001) : "memory");
    r = r * 31 + h;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(d) : "l"(cell) : "memory");
    out[i] = r * 31 + d;
}

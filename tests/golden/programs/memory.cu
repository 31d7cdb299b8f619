// State spaces, widths and addressing.
#define KERNEL extern "C" __global__ void
__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__constant__ unsigned constants[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__device__ unsigned globals[8] = {11, 22, 33, 44, 55, 66, 77, 88};
__device__ const unsigned* const chain[3] = {globals + 1, globals + 5, globals + 2};
__constant__ double doubles[3] = {0.5, -1.25, 1e10};
__device__ unsigned short shorts[5] = {1, 2, 65535, 4, 5};

KERNEL variables(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i];
    unsigned r = constants[v & 15] * 31 + globals[v >> 4 & 7];
    r = r * 31 + *chain[v % 3] + shorts[v % 5];
    r += (unsigned)(int)(doubles[v % 3] * 4.0);
    out[i] = r;
}

KERNEL widths(unsigned* out, const unsigned* in) {
    unsigned i = index();
    const unsigned char* bytes = (const unsigned char*)(in + i);
    const signed char* sbytes = (const signed char*)(in + i);
    const unsigned short* halves = (const unsigned short*)(in + i);
    const short* shalves = (const short*)(in + i);
    unsigned r = bytes[1] + sbytes[2] * 3 + halves[1] * 5 + shalves[0] * 7;
    uint2 two = ((const uint2*)in)[i & 1023];
    uint4 four = ((const uint4*)in)[i & 511];
    ulonglong2 wide = ((const ulonglong2*)in)[i & 511];
    uchar4 small = ((const uchar4*)in)[i];
    ushort2 pair = ((const ushort2*)in)[i];
    r = r * 31 + two.x + two.y * 3;
    r = r * 31 + (four.x ^ four.y ^ four.z ^ four.w);
    r = r * 31 + (unsigned)(wide.x >> 13) + (unsigned)wide.y;
    r = r * 31 + small.x + small.w * 3 + pair.y;
    r = r * 31 + __ldg(in + (i ^ 5)) + __ldcg(in + i) + __ldcs(in + i);
    uint4* to = (uint4*)(out + 4 * i);
    *to = make_uint4(r, two.x, four.w, (unsigned)wide.x);
    ((unsigned char*)(out + 4 * i))[7] = (unsigned char)r;
    ((short*)(out + 4 * i))[4] = (short)r;
}

KERNEL local_arrays(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i];
    unsigned cells[24];
    unsigned char bytes[16];
    for (int k = 0; k < 24; ++k) cells[k] = k * v;
    for (int k = 0; k < 16; ++k) bytes[k] = (unsigned char)(v >> k);
    for (unsigned k = 0; k < 40; ++k) {
        unsigned at = (v >> (k & 15)) % 24;
        cells[at] = cells[(at + k) % 24] + k;
        bytes[at & 15] ^= (unsigned char)cells[at];
    }
    unsigned r = 0;
    for (int k = 0; k < 24; ++k) r = r * 31 + cells[k];
    for (int k = 0; k < 16; ++k) r = r * 31 + bytes[k];
    out[i] = r;
}

__device__ __noinline__ unsigned sum_of(const unsigned* p, unsigned n) {
    unsigned r = 0;
    for (unsigned k = 0; k < n; ++k) r = r * 3 + p[k];
    return r;
}

// One pointer that may lead to global, shared, local or constant memory.
KERNEL generic_pointers(unsigned* out, const unsigned* in) {
    __shared__ unsigned cells[64];
    unsigned i = index(), v = in[i], mine[8];
    cells[threadIdx.x] = v;
    for (int k = 0; k < 8; ++k) mine[k] = v + k;
    __syncthreads();
    const unsigned* p;
    switch (v & 3) {
        case 0: p = in + (i & 1023); break;
        case 1: p = cells + (v >> 4 & 31); break;
        case 2: p = mine; break;
        default: p = constants + (v >> 3 & 7);
    }
    unsigned r = sum_of(p, 8);
    r = r * 8 + __isGlobal(p) + __isShared(p) * 2 + __isLocal(p) * 4;
    out[i] = r;
}

KERNEL volatile_and_cache(unsigned* out, const unsigned* in) {
    unsigned i = index(), r, d;
    volatile unsigned* cell = out + 512 + i;
    *cell = in[i];
    r = *cell;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(d) : "l"(in + i));
    r = r * 31 + d;
    asm volatile("ld.global.cv.u32 %0, [%1+4];" : "=r"(d) : "l"(in + i));
    r = r * 31 + d;
    asm volatile("ld.global.L1::no_allocate.u32 %0, [%1+8];" : "=r"(d) : "l"(in + i));
    r = r * 31 + d;
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i));
    asm volatile("st.global.wt.u32 [%0], %1;" ::"l"(out + 512 + i), "r"(r) : "memory");
    out[i] = *cell + r;
}

struct alignas(16) Packet {
    unsigned char tag;
    double weight;
    unsigned long long id;
    short parts[3];
};

KERNEL structs_in_shared(unsigned* out, const unsigned* in) {
    __shared__ Packet packets[64];
    unsigned t = threadIdx.x, v = in[index()];
    packets[t].tag = (unsigned char)v;
    packets[t].weight = v * 0.25;
    packets[t].id = (unsigned long long)v * v;
    for (int k = 0; k < 3; ++k) packets[t].parts[k] = (short)(v >> (4 * k));
    __syncthreads();
    Packet p = packets[(t * 11 + 5) & 63];
    out[index()] = p.tag + (unsigned)p.weight * 3 + (unsigned)(p.id >> 16) + p.parts[0] * p.parts[1] - p.parts[2];
}

KERNEL special_registers(unsigned* out, const unsigned* in) {
    unsigned i = index(), r, s;
    r = threadIdx.x * 3 + blockIdx.x * 5 + blockDim.x * 7 + gridDim.x * 11 + threadIdx.y + blockDim.y + gridDim.z;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(s));
    r = r * 31 + s;
    asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(s));
    r = r * 31 + s;
    asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(s));
    r = r * 31 + s;
    asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(s));
    r = r * 31 + s;
    long long before = clock64(), after = clock64();
    r = r * 31 + (after >= before) + warpSize;
    out[i] = r + in[i];
}

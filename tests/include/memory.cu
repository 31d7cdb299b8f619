// Loads and stores with hints, address spaces, vector types and their layout.
static_assert(alignof(float4) == 16 && sizeof(float4) == 16 && alignof(float2) == 8 && sizeof(float3) == 12 && alignof(float3) == 4, "");
static_assert(alignof(double2) == 16 && sizeof(double4) == 32 && alignof(uchar4) == 4 && alignof(short4) == 8, "");
static_assert(alignof(longlong2) == 16 && alignof(char2) == 2 && sizeof(uchar3) == 3 && sizeof(dim3) == 12, "");

template <class T>
__device__ T hints(T* p) {
    T v = __ldg(p);
    __stwb(p, v), __stcg(p, __ldcg(p)), __stcs(p, __ldcs(p)), __stwt(p, __ldcv(p)), __stwb(p, __ldca(p));
    return __ldlu(p);
}
__global__ void loads(char* c, unsigned char* uc, short* s, unsigned short* us, int* i, unsigned* u, long long* ll, unsigned long long* ull,
                      float* f, double* d) {
    *c = hints(c), *uc = hints(uc), *s = hints(s), *us = hints(us), *i = hints(i), *u = hints(u), *ll = hints(ll), *ull = hints(ull), *f = hints(f),
    *d = hints(d);
    hints((float4*)f), hints((int4*)i), hints((uint2*)u), hints((double2*)d), hints((uchar4*)uc), hints((short4*)s), hints((ulonglong2*)ull);
    *(float4*)f = make_float4(f[4], f[5], f[6], f[7]);
    volatile int* v = i;
    *v = *v + 1;
}
__constant__ int fixed;
__global__ void spaces(unsigned long long* out, int n) {
    __shared__ int tile[32];
    int local[4] = {n, 2, 3, 4};
    tile[threadIdx.x] = local[n & 3];
    out[0] = __isGlobal(out) + __isShared(tile) + __isLocal(local) + __isConstant(&fixed);
    out[1] = __cvta_generic_to_shared(tile);
    *(int*)__cvta_shared_to_generic(out[1]) = 1;
    out[2] = __cvta_generic_to_global(out);
    memcpy(local, tile, sizeof local);
    memset(out + 4, 0, 16);
    out[3] = local[n & 3];
}
int main() {}

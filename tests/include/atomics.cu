// Every atomic, in its three scopes, and the fences.
template <class T>
__device__ void arithmetic(T* p, T v) {
    v = atomicAdd(p, v), v = atomicAdd_block(p, v), v = atomicAdd_system(p, v);
}
template <class T>
__device__ void exchange(T* p, T v) {
    v = atomicExch(p, v), v = atomicExch_block(p, v), v = atomicExch_system(p, v);
}
template <class T>
__device__ void compare(T* p, T v) {
    v = atomicCAS(p, v, (T)1), v = atomicCAS_block(p, v, (T)1), v = atomicCAS_system(p, v, (T)1);
}
template <class T>
__device__ void ordered(T* p, T v) {
    v = atomicMin(p, v), v = atomicMin_block(p, v), v = atomicMin_system(p, v);
    v = atomicMax(p, v), v = atomicMax_block(p, v), v = atomicMax_system(p, v);
}
template <class T>
__device__ void logic(T* p, T v) {
    v = atomicAnd(p, v), v = atomicAnd_block(p, v), v = atomicAnd_system(p, v);
    v = atomicOr(p, v), v = atomicOr_block(p, v), v = atomicOr_system(p, v);
    v = atomicXor(p, v), v = atomicXor_block(p, v), v = atomicXor_system(p, v);
}

__global__ void all(int* i, unsigned* u, unsigned long long* ull, long long* ll, float* f, double* d, unsigned short* us,
                    float2* f2, float4* f4) {
    __shared__ int local;
    local = 0;
    __syncthreads();
    atomicAdd(&local, *i);
    arithmetic(i, 1), arithmetic(u, 1u), arithmetic(ull, 1ull), arithmetic(f, 1.0f), arithmetic(d, 1.0);
    *i += atomicSub(i, 2) + atomicSub_block(i, 2) + atomicSub_system(i, 2);
    *u += atomicSub(u, 2u) + atomicSub_block(u, 2u) + atomicSub_system(u, 2u);
    exchange(i, 1), exchange(u, 1u), exchange(ull, 1ull), exchange(f, 1.0f);
    compare(i, 1), compare(u, 1u), compare(ull, 1ull), compare(us, (unsigned short)1);
    ordered(i, 1), ordered(u, 1u), ordered(ull, 1ull), ordered(ll, 1ll);
    logic(i, 1), logic(u, 1u), logic(ull, 1ull);
    *u += atomicInc(u, 9) + atomicInc_block(u, 9) + atomicInc_system(u, 9);
    *u += atomicDec(u, 9) + atomicDec_block(u, 9) + atomicDec_system(u, 9);
    __threadfence_block();
    __threadfence();
    __threadfence_system();
    *i += local;
    f2->x += atomicAdd(f2, make_float2(1, 2)).x;
    f4->x += atomicAdd(f4, make_float4(1, 2, 3, 4)).x;
}
int main() {}

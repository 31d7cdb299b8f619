// cuda::atomic in all sizes, kinds and scopes, on both sides.
// RUN: lockstep run %s
// OUT: ^2016 15 15 15 15 7 7 3 15 -1 2 5 2 15 -7$
// OUT: ^15 15 -1 15$
// OUT: ^no error 1$
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/atomic>
template <class A>
__host__ __device__ void ints(A& a) {
    a.store(1);
    a.fetch_add(2, cuda::std::memory_order_relaxed);
    a.fetch_sub(1);
    a.fetch_and(7);
    a.fetch_or(8);
    a.fetch_xor(1);
    a.fetch_min(100);
    a.fetch_max(3);
    a++;
    ++a;
    a += 2;
    a -= 1;
    --a;
    a--;
    auto e = a.load();
    a.compare_exchange_strong(e, e + 1);
    a.compare_exchange_weak(e, 0, cuda::memory_order_acq_rel, cuda::memory_order_relaxed);
    a.exchange(a.load(cuda::memory_order_acquire) + 1);
    a = a + 1;
}
struct P {
    float x;
    int y;
};
__global__ void k(int* o) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> s;
    if (threadIdx.x == 0) {
        new (&s) cuda::atomic<int, cuda::thread_scope_block>(0);
    }
    __syncthreads();
    s.fetch_add(threadIdx.x, cuda::std::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) {
        o[0] = s.load();
        cuda::atomic<int, cuda::thread_scope_device> a;
        ints(a);
        o[1] = a;
        cuda::atomic<unsigned char> b(0);
        ints(b);
        o[2] = b;
        cuda::atomic<short> c;
        ints(c);
        o[3] = c;
        cuda::atomic<long long, cuda::thread_scope_block> d;
        ints(d);
        o[4] = d;
        cuda::atomic<double> e(1.0);
        e.fetch_add(2.5);
        e -= 1;
        e.fetch_max(7);
        o[5] = e.load();
        cuda::atomic<P> p(P{1, 2});
        P q = p.load();
        o[6] = q.y;
        P r{1, 2};
        o[6] += p.compare_exchange_strong(r, P{3, 4});
        o[6] += p.load().y;
        cuda::atomic<int*> ptr(o);
        ptr++;
        ptr += 2;
        o[7] = ptr.load() - o;
        unsigned u = 5;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> ar(u);
        ints(ar);
        o[8] = u;
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
        cuda::atomic<float> f(1);
        f += 2;
        f.fetch_min(-1.f);
        o[9] = f.load();
        cuda::atomic<bool> bb(false);
        o[10] = bb.exchange(true) + 2 * bb;
        volatile cuda::atomic<int> va(3);
        va = 4;
        va.fetch_add(1);
        o[11] = va;
        cuda::std::atomic_flag fl;
        o[12] = fl.test_and_set() + 2 * fl.test_and_set();
        cuda::atomic<unsigned long> ul(3);
        ints(ul);
        o[13] = ul;
        cuda::atomic<signed char> sc(-3);
        sc.fetch_max(-5);
        sc.fetch_add(-4);
        o[14] = sc;
    }
}
__global__ void spin(int* o) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x & 1)
        flag.wait((int)threadIdx.x / 2, cuda::memory_order_acquire);
    else {
        flag.fetch_add(1);
        flag.notify_all();
    }
    __syncthreads();
    if (threadIdx.x == 0) o[0] = flag;
}
int main() {
    int* o;
    cudaMallocManaged(&o, 400);
    k<<<1, 64>>>(o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 15; i++) printf(i ? " %d" : "%d", o[i]);
    puts("");
    cuda::atomic<int> a;
    ints(a);
    cuda::atomic<unsigned char> b;
    ints(b);
    cuda::std::atomic<int> plain(0);
    plain++;
    cuda::atomic<float> f(1);
    f += 2;
    f.fetch_min(-1.f);
    cuda::atomic<short> c;
    ints(c);
    printf("%d %d %g %d\n", (int)a, (int)b, f.load(), (int)c);
    spin<<<1, 2>>>(o);
    const char* how = cudaGetErrorString(cudaDeviceSynchronize());
    printf("%s %d\n", how, *o);
}

// Programs launch kernels from destructors of static objects, and of a thread's own: the library's state is
// still there.
// RUN: lockstep run %s
// OUT: ^thread: 3$
// OUT: ^static: 7 on device 0$
#include <cstdio>
#include <thread>

__global__ void put(int* out, int value) { *out = value; }

int run(int value) {
    int *out = nullptr, result = 0;
    cudaMalloc(&out, sizeof *out);
    put<<<1, 1>>>(out, value);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return result;
}

struct OfThread {
    ~OfThread() { std::printf("thread: %d\n", run(3)); }
};

struct Static {
    ~Static() {
        int device = -1;
        // More than one: what the first leaves behind must not harm the others.
        for (int i = 0; i < 6; ++i) run(i);
        cudaGetDevice(&device);
        std::printf("static: %d on device %d\n", run(7), device);
    }
};

int main() {
    static Static at_exit;
    std::thread([] {
        static thread_local OfThread last;  // made before the library's own: destroyed after them
        (void)&last;
        run(1);
    }).join();
    return run(2) != 2;
}

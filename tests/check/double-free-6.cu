// bug: double-free
// line: 19
// kernel: -
// note: moving the handle into the vector copies it, so that both the vector's element and the original free the array
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Image {
    cudaArray_t a = nullptr;
    Image(int w, int h) {
        cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
        cudaMallocArray(&a, &d, w, h);
    }
    int release() {
        CHECK(cudaFreeArray(a));
        return 0;
    }
};

int main() {
    Image one(16, 16);
    std::vector<Image> all;
    all.push_back(one);
    all.push_back(Image(8, 8));
    int bad = 0;
    for (auto& i : all) bad += i.release();
    bad += one.release();
    std::printf("bad %d\n", bad);
    return 0;
}

// bug: use-after-free
// line: 25
// kernel: push
// note: the vector on the device heap grows in one thread, and another still writes to its old memory
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct List { int* items; int room; };
__global__ void push(List* list, int* out) {
    int t = threadIdx.x;
    int* mine = nullptr;
    if (t == 0) {
        list->items = (int*)malloc(4 * sizeof(int));
        for (int i = 0; i < 4; ++i) list->items[i] = i;
        mine = list->items;
        int* more = (int*)malloc(8 * sizeof(int));
        for (int i = 0; i < 4; ++i) more[i] = list->items[i];
        for (int i = 4; i < 8; ++i) more[i] = i;
        free(list->items);
        list->items = more;
        out[0] = mine[3] + more[7];
        free(more);
    }
}
int main() {
    List* list;
    int *out, h = 0;
    CHECK(cudaMalloc(&list, sizeof(List)));
    CHECK(cudaMalloc(&out, sizeof(int)));
    push<<<1, 32>>>(list, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(list));
    CHECK(cudaFree(out));
    std::printf("%d\n", h);
    return 0;
}

// Device memory by the shape of what is touched together: blocks that stay add two matrices tile by tile; all
// tiles have as many elements, in few long rows or in many short ones.
#include "measure.h"

__global__ void add_tiles(const float* a, const float* b, float* c, int width, int height, int tile_width) {
    const int tile_height = int(blockDim.x) / tile_width, across = width / tile_width;
    const int tiles = across * (height / tile_height);
    const int x = int(threadIdx.x) % tile_width, y = int(threadIdx.x) / tile_width;
    for (int tile = int(blockIdx.x); tile < tiles; tile += int(gridDim.x)) {
        const size_t at =
            size_t(tile / across * tile_height + y) * size_t(width) + size_t(tile % across * tile_width + x);
        c[at] = a[at] + b[at];
    }
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    const int width = 1 << 14, height = 1 << 13;
    const size_t count = size_t(width) * height;
    float *a = allocate<float>(count), *b = allocate<float>(count), *c = allocate<float>(count);
    Csv csv(folder, "dram-tiles", "threads,tile_width");
    for (int threads : {256, 512, 1024})
        for (int tile_width : {4, 8, 16, 32, 64, 128, 256}) {
            Samples rates;
            for (int repeat = 0; repeat < 6; ++repeat) {
                const double ms = event_ms([&] {
                    add_tiles<<<sm_count() * 2048 / threads, threads>>>(a, b, c, width, height, tile_width);
                });
                if (repeat) rates.push_back(double(count) * 12 / ms / 1e6);
            }
            csv.row(settings("%d,%d", threads, tile_width), "GB/s", rates);
        }
}

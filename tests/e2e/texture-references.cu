// Texture and surface references, as CUDA 11 and before had them: linear memory, rows, arrays, numbers from 0 to 1, filters.
// RUN: lockstep run %s
// OUT: ^sum of 64 texels through texConst: 2016$
// OUT: ^outside of the memory: 0$
// OUT: ^offset 16, first texel 4$
// OUT: ^rows: 0 1 2 3 10 11 12 13 20 21 22 23$
// OUT: ^filtered: 0.50001 0.25098$
// OUT: ^bound again: 7$
// OUT: ^surface: 0 3 6 9$
// OUT: ^without anything bound: cudaErrorIllegalAddress$
// ERR: ^lockstep: kernel first.*texture object 0 is none: nothing is bound, or it was never created
#include <cstdio>
#include <vector>

texture<float> texConst;
texture<int, 2, cudaReadModeElementType> rows;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> picture;
surface<void, cudaSurfaceType2D> canvas;

__global__ void sum(float* out) {
    float total = 0;
    for (int i = 0; i < 64; ++i) total += tex1Dfetch(texConst, i);
    out[0] = total;
    out[1] = tex1Dfetch(texConst, 100) + tex1Dfetch(texConst, -1);
}
__global__ void first(float* out, int offset) { out[0] = tex1Dfetch(texConst, offset / 4); }
__global__ void take_rows(int* out) {
    const int x = threadIdx.x % 4, y = threadIdx.x / 4;
    out[threadIdx.x] = tex2D(rows, x, y);
}
__global__ void filtered(float* out) {
    const float4 v = tex2D(picture, 0.5f, 0.5f);
    out[0] = v.x, out[1] = v.y;
}
__global__ void paint() { surf2Dwrite((int)(3 * threadIdx.x), canvas, threadIdx.x * 4, 1); }

int main() {
    float* out;
    cudaMallocManaged(&out, 4096);
    std::vector<float> numbers(64);
    for (int i = 0; i < 64; ++i) numbers[i] = (float)i;
    float* memory;
    cudaMalloc(&memory, 256);
    cudaMemcpy(memory, numbers.data(), 256, cudaMemcpyHostToDevice);
    cudaBindTexture(NULL, texConst, memory, 256);
    sum<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    std::printf("sum of 64 texels through texConst: %g\noutside of the memory: %g\n", out[0], out[1]);
    size_t offset = 0;
    cudaBindTexture(&offset, texConst, memory + 4, 64);
    first<<<1, 1>>>(out, (int)offset);
    cudaDeviceSynchronize();
    std::printf("offset %zu, first texel %g\n", offset, out[0]);

    int* pitched;
    size_t pitch;
    cudaMallocPitch(&pitched, &pitch, 16, 3);
    const int image[] = {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
    cudaMemcpy2D(pitched, pitch, image, 16, 16, 3, cudaMemcpyHostToDevice);
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaBindTexture2D(NULL, rows, pitched, desc, 4, 3, pitch);
    take_rows<<<1, 12>>>((int*)out);
    cudaDeviceSynchronize();
    std::printf("rows:");
    for (int i = 0; i < 12; ++i) std::printf(" %d", ((int*)out)[i]);

    picture.normalized = true;
    picture.filterMode = cudaFilterModeLinear;
    picture.addressMode[0] = picture.addressMode[1] = cudaAddressModeWrap;
    const uchar4 pixels[] = {{0, 0, 0, 0}, {255, 128, 0, 0}};
    cudaArray* array;
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar4>();
    cudaMallocArray(&array, &channels, 2, 1);
    cudaMemcpyToArray(array, 0, 0, pixels, sizeof pixels, cudaMemcpyHostToDevice);
    cudaBindTextureToArray(picture, array, channels);
    filtered<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    std::printf("\nfiltered: %.5f %.5f\n", out[0], out[1]);

    numbers[0] = 7;
    cudaMemcpy(memory, numbers.data(), 4, cudaMemcpyHostToDevice);
    const textureReference* reference;
    cudaGetTextureReference(&reference, &texConst);
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaBindTexture(NULL, reference, memory, &floats, 256);
    first<<<1, 1>>>(out, 0);
    cudaDeviceSynchronize();
    std::printf("bound again: %g\n", out[0]);

    cudaArray_t drawn;
    cudaMallocArray(&drawn, &desc, 4, 2, cudaArraySurfaceLoadStore);
    cudaBindSurfaceToArray(canvas, drawn);
    paint<<<1, 4>>>();
    int row[4];
    cudaMemcpy2DFromArray(row, 16, drawn, 0, 1, 16, 1, cudaMemcpyDeviceToHost);
    std::printf("surface: %d %d %d %d\n", row[0], row[1], row[2], row[3]);

    cudaUnbindTexture(texConst);
    first<<<1, 1>>>(out, 0);
    std::printf("without anything bound: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

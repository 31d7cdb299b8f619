// CUDA arrays: copies in all directions, what is known of them, surfaces of all kinds and their bounds.
// RUN: lockstep run %s
// OUT: ^2-D there and back: right$
// OUT: ^over the ends of rows: right$
// OUT: ^between arrays: right$
// OUT: ^3-D there and back: right$
// OUT: ^3-D part: right$
// OUT: ^info: 8 8 8 8 kind 1, 13 x 5 x 0, flags 2$
// OUT: ^level 2 of 3: 4 x 2 x 0, no level 3: cudaErrorInvalidValue$
// OUT: ^surface of 3-D: right$
// OUT: ^surface of layers: right$
// OUT: ^surface of a cube: right$
// OUT: ^clamped 23, zero 0, nothing written outside: right$
// ALSO: nvcc
#include <cstdio>
#include <cstring>
#include <vector>

static const char* verdict(bool right) { return right ? "right" : "WRONG"; }

__global__ void fill_3d(cudaSurfaceObject_t s) {
    surf3Dwrite((int)(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z), s, threadIdx.x * 4, threadIdx.y, threadIdx.z);
}
__global__ void fill_layers(cudaSurfaceObject_t s) {
    int2 v = {(int)threadIdx.x, (int)(threadIdx.y + 10 * threadIdx.z)};
    surf2DLayeredwrite(v, s, threadIdx.x * 8, threadIdx.y, threadIdx.z);
}
__global__ void turn_faces(cudaSurfaceObject_t s) {
    unsigned char v;
    surfCubemapread(&v, s, threadIdx.x, threadIdx.y, threadIdx.z);
    __syncthreads();
    surfCubemapwrite((unsigned char)(v + 1), s, threadIdx.y, threadIdx.x, threadIdx.z);
}
__global__ void at_bounds(cudaSurfaceObject_t s, int* out) {
    out[0] = surf2Dread<int>(s, 400, 2, cudaBoundaryModeClamp);
    out[1] = surf2Dread<int>(s, -4, 0, cudaBoundaryModeZero);
    surf2Dwrite(99, s, 0, 7, cudaBoundaryModeZero);
}
static cudaSurfaceObject_t surface_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t s = 0;
    cudaCreateSurfaceObject(&s, &resource);
    return s;
}
static std::vector<int> whole(cudaArray_t array, int w, int h, int d) {
    std::vector<int> all(w * h * d);
    cudaMemcpy3DParms p = {};
    p.srcArray = array;
    p.dstPtr = make_cudaPitchedPtr(all.data(), w * 4, w, h);
    p.extent = make_cudaExtent(w, h, d);
    p.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&p);
    return all;
}

int main() {
    // 13 texels of four bytes are no whole number of tiles.
    std::vector<uchar4> image(13 * 5), back(13 * 5);
    for (size_t i = 0; i < image.size(); ++i) image[i] = make_uchar4(i, i + 1, i + 2, i + 3);
    const cudaChannelFormatDesc pixels = cudaCreateChannelDesc<uchar4>();
    cudaArray_t a, b;
    cudaMallocArray(&a, &pixels, 13, 5, cudaArraySurfaceLoadStore);
    cudaMallocArray(&b, &pixels, 13, 5);
    cudaMemcpy2DToArray(a, 0, 0, image.data(), 52, 52, 5, cudaMemcpyHostToDevice);
    cudaMemcpy2DFromArray(back.data(), 52, a, 0, 0, 52, 5, cudaMemcpyDeviceToHost);
    std::printf("2-D there and back: %s\n", verdict(std::memcmp(image.data(), back.data(), 260) == 0));
    cudaMemcpy2DToArrayAsync(b, 0, 0, image.data(), 52, 52, 5, cudaMemcpyHostToDevice, 0);
    std::memset(back.data(), 0, 260);
    cudaMemcpy2DFromArray(back.data(), 52, b, 8, 1, 44, 4, cudaMemcpyDeviceToHost);
    std::printf("over the ends of rows: %s\n", verdict(std::memcmp(&image[15], back.data(), 44) == 0));
    cudaMemcpy2DArrayToArray(b, 4, 1, a, 0, 0, 40, 3);
    cudaMemcpy2DFromArray(back.data(), 52, b, 0, 0, 52, 5, cudaMemcpyDeviceToHost);
    std::printf("between arrays: %s\n", verdict(std::memcmp(&image[0], &back[14], 40) == 0 && std::memcmp(&image[26], &back[40], 40) == 0 &&
                                                std::memcmp(&image[13], &back[13], 4) == 0));

    std::vector<int> box(7 * 6 * 5);
    for (size_t i = 0; i < box.size(); ++i) box[i] = (int)i;
    const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    cudaArray_t c;
    cudaMalloc3DArray(&c, &ints, make_cudaExtent(7, 6, 5), cudaArraySurfaceLoadStore);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(box.data(), 28, 7, 6);
    p.dstArray = c;
    p.extent = make_cudaExtent(7, 6, 5);
    p.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&p);
    std::printf("3-D there and back: %s\n", verdict(whole(c, 7, 6, 5) == box));
    p.dstPos = make_cudaPos(2, 1, 3);
    p.extent = make_cudaExtent(3, 2, 2);
    cudaMemcpy3D(&p);
    const std::vector<int> part = whole(c, 7, 6, 5);
    std::printf("3-D part: %s\n", verdict(part[(3 * 6 + 1) * 7 + 2] == 0 && part[(4 * 6 + 2) * 7 + 4] == 51 && part[0] == 0 && part[209] == 209));

    cudaChannelFormatDesc desc;
    cudaExtent extent;
    unsigned flags;
    cudaArrayGetInfo(&desc, &extent, &flags, a);
    std::printf("info: %d %d %d %d kind %d, %zu x %zu x %zu, flags %u\n", desc.x, desc.y, desc.z, desc.w, (int)desc.f, extent.width, extent.height, extent.depth, flags);
    cudaMipmappedArray_t pyramid;
    cudaMallocMipmappedArray(&pyramid, &ints, make_cudaExtent(16, 8, 0), 3);
    cudaArray_t level;
    cudaGetMipmappedArrayLevel(&level, pyramid, 2);
    cudaArrayGetInfo(&desc, &extent, &flags, level);
    std::printf("level 2 of 3: %zu x %zu x %zu, no level 3: %s\n", extent.width, extent.height, extent.depth, cudaGetErrorName(cudaGetMipmappedArrayLevel(&level, pyramid, 3)));
    cudaGetLastError();

    fill_3d<<<1, dim3(7, 6, 5)>>>(surface_of(c));
    const std::vector<int> drawn = whole(c, 7, 6, 5);
    bool right = true;
    for (int z = 0; z < 5; ++z)
        for (int y = 0; y < 6; ++y)
            for (int x = 0; x < 7; ++x) right &= drawn[(z * 6 + y) * 7 + x] == x + 10 * y + 100 * z;
    std::printf("surface of 3-D: %s\n", verdict(right));
    const cudaChannelFormatDesc pairs = cudaCreateChannelDesc<int2>();
    cudaArray_t layers;
    cudaMalloc3DArray(&layers, &pairs, make_cudaExtent(5, 4, 3), cudaArraySurfaceLoadStore | cudaArrayLayered);
    fill_layers<<<1, dim3(5, 4, 3)>>>(surface_of(layers));
    std::vector<int2> pair(60);
    cudaMemcpy3DParms q = {};
    q.srcArray = layers;
    q.dstPtr = make_cudaPitchedPtr(pair.data(), 40, 5, 4);
    q.extent = make_cudaExtent(5, 4, 3);
    q.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&q);
    std::printf("surface of layers: %s\n", verdict(pair[(2 * 4 + 3) * 5 + 4].x == 4 && pair[(2 * 4 + 3) * 5 + 4].y == 23 && pair[1].x == 1));
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t cube;
    cudaMalloc3DArray(&cube, &bytes, make_cudaExtent(4, 4, 6), cudaArraySurfaceLoadStore | cudaArrayCubemap);
    std::vector<unsigned char> faces(96), turned(96);
    for (int i = 0; i < 96; ++i) faces[i] = (unsigned char)i;
    q = {};
    q.srcPtr = make_cudaPitchedPtr(faces.data(), 4, 4, 4);
    q.dstArray = cube;
    q.extent = make_cudaExtent(4, 4, 6);
    q.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&q);
    turn_faces<<<1, dim3(4, 4, 6)>>>(surface_of(cube));
    q = {};
    q.srcArray = cube;
    q.dstPtr = make_cudaPitchedPtr(turned.data(), 4, 4, 4);
    q.extent = make_cudaExtent(4, 4, 6);
    q.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&q);
    right = true;
    for (int f = 0; f < 6; ++f)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x) right &= turned[f * 16 + x * 4 + y] == faces[f * 16 + y * 4 + x] + 1;
    std::printf("surface of a cube: %s\n", verdict(right));

    cudaArray_t d;
    cudaMallocArray(&d, &ints, 8, 3, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(d, 0, 0, box.data(), 32, 32, 3, cudaMemcpyHostToDevice);
    int* out;
    cudaMallocManaged(&out, 8);
    at_bounds<<<1, 1>>>(surface_of(d), out);
    cudaDeviceSynchronize();
    const std::vector<int> after = whole(d, 8, 3, 1);
    std::printf("clamped %d, zero %d, nothing written outside: %s\n", out[0], out[1], verdict(std::memcmp(after.data(), box.data(), 96) == 0));
}

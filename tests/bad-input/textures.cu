// Textures and surfaces that are used wrongly: CUDA's error, and our sentence beside it.
// RUN: lockstep run %s -- destroyed
// OUT: ^cudaErrorIllegalAddress$
// ERR: ^lockstep: kernel fetch.*texture object \d+ is a texture that was destroyed
// RUN: lockstep run %s -- never
// OUT: ^cudaErrorIllegalAddress$
// ERR: texture object 12345 is none that was created on this device
// RUN: lockstep run %s -- freed
// OUT: ^cudaErrorIllegalAddress$
// ERR: texture object \d+ looks at memory that is gone
// RUN: lockstep run %s -- dimension
// OUT: ^cudaErrorIllegalInstruction$
// ERR: texture object \d+ is two-dimensional, and the instruction takes it for three-dimensional
// RUN: lockstep run %s -- bounds
// OUT: ^cudaErrorIllegalAddress$
// ERR: surface object \d+: a write at x = 0 bytes, y = 4, z = 0 is outside of its 32 bytes by 4 rows by 1 slices
// RUN: lockstep run %s -- misaligned
// OUT: ^cudaErrorMisalignedAddress$
// ERR: surface object \d+: x is 2 bytes, and must be a multiple of the 4 bytes accessed
// RUN: lockstep run %s -- calls
// OUT: ^filter cudaErrorInvalidFilterSetting$
// OUT: ^norm cudaErrorInvalidNormSetting$
// OUT: ^channels cudaErrorInvalidChannelDescriptor$
// OUT: ^cube cudaErrorInvalidValue$
// OUT: ^surface cudaSuccess$
// OUT: ^copy cudaErrorInvalidValue$
// OUT: ^freed cudaErrorInvalidResourceHandle$
// OUT: ^destroyed cudaSuccess$
// OUT: ^pitch cudaErrorInvalidValue$
// OUT: ^anisotropy cudaErrorNotSupported$
// ERR: anisotropic filtering \(maxAnisotropy 8\) is not implemented
#include <cstdio>
#include <string>

__global__ void fetch(cudaTextureObject_t t, float* out) { *out = tex2D<float>(t, 0.5f, 0.5f); }
__global__ void fetch_3d(cudaTextureObject_t t, float* out) { *out = tex3D<float>(t, 0.5f, 0.5f, 0.5f); }
__global__ void store(cudaSurfaceObject_t s, int x, int y) { surf2Dwrite(1.0f, s, x, y); }

static void say(const char* what, cudaError_t error) {
    std::printf("%s %s\n", what, cudaGetErrorName(error));
    cudaGetLastError();
}

int main(int, char** arguments) {
    const std::string how = arguments[1];
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), ints = cudaCreateChannelDesc<int>(),
                                three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    cudaArray_t array, other, whole;
    cudaMallocArray(&array, &floats, 8, 4, cudaArraySurfaceLoadStore);
    cudaMallocArray(&whole, &ints, 8, 4);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc desc = {};
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    cudaCreateTextureObject(&t, &resource, &desc, nullptr);
    cudaCreateSurfaceObject(&s, &resource);
    float* out;
    cudaMalloc(&out, 4);
    if (how == "calls") {
        resource.res.array.array = whole;
        desc.filterMode = cudaFilterModeLinear;
        say("filter", cudaCreateTextureObject(&t, &resource, &desc, nullptr));
        desc = {};
        desc.readMode = cudaReadModeNormalizedFloat;
        say("norm", cudaCreateTextureObject(&t, &resource, &desc, nullptr));
        say("channels", cudaMallocArray(&other, &three, 8, 4));
        say("cube", cudaMalloc3DArray(&other, &floats, make_cudaExtent(8, 4, 6), cudaArrayCubemap));
        say("surface", cudaCreateSurfaceObject(&s, &resource));
        int row[16] = {};
        say("copy", cudaMemcpy2DToArray(whole, 4, 0, row, 32, 32, 1, cudaMemcpyHostToDevice));
        cudaFreeArray(whole);
        say("freed", cudaFreeArray(whole));
        cudaTextureObject_t gone = t;
        cudaDestroyTextureObject(gone);
        say("destroyed", cudaDestroyTextureObject(gone));
        desc = {};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D = {out, floats, 1, 1, 4};
        say("pitch", cudaCreateTextureObject(&t, &resource, &desc, nullptr));
        cudaMipmappedArray_t pyramid;
        cudaMallocMipmappedArray(&pyramid, &floats, make_cudaExtent(8, 8, 0), 4);
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = pyramid;
        desc.normalizedCoords = 1;
        desc.maxAnisotropy = 8;
        say("anisotropy", cudaCreateTextureObject(&t, &resource, &desc, nullptr));
        return 0;
    }
    if (how == "destroyed") cudaDestroyTextureObject(t);
    if (how == "freed") cudaFreeArray(array);
    if (how == "destroyed" || how == "freed") fetch<<<1, 1>>>(t, out);
    if (how == "never") fetch<<<1, 1>>>(12345, out);
    if (how == "dimension") fetch_3d<<<1, 1>>>(t, out);
    if (how == "bounds") store<<<1, 1>>>(s, 0, 4);
    if (how == "misaligned") store<<<1, 1>>>(s, 2, 0);
    std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}

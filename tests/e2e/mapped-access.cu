// cuMemSetAccess: memory that a device may only read, and memory of the host; answers as an H200 gave them.
// RUN: lockstep run %s -lcuda -- 0
// OUT: ^read-only: set 0, told 1, pointer 1; load 0 42; copies in 1, fill 1, copy out 0; written again 0 43$
// ERR: the destination at 0x[0-9a-f]+ can only be read: cuMemSetAccess gave no more
// OUT: ^a store: 700$
// ERR: write of 4 bytes at 0x[0-9a-f]+, which is read-only \(cuMemSetAccess gave the device no more\)
// RUN: lockstep run %s -lcuda -- 1
// OUT: ^host's: granularity 2097152, made at place 3 of type 1, memory type 1, device may 3, host may 3$
// OUT: ^the host wrote 7, the device 42; copies 0 0 0: 42$
// OUT: ^refused: no such node 1, the current node 1, a device's to the host 801$
// OUT: ^without leave: host 11, device 700$
// ERR: which device 0 has no access to: .* \(cuMemSetAccess gives it\)
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

__global__ void load(const unsigned* p, unsigned* out) { *out = *(volatile const unsigned*)p; }
__global__ void store(unsigned* p) { *(volatile unsigned*)p = 42; }
__global__ void add(unsigned* p) { atomicAdd(p, 1u); }

constexpr size_t bytes = 2 << 20;

static int make(CUmemLocationType type, int id, CUdeviceptr& at) {
    CUmemAllocationProp props = {};
    props.type = CU_MEM_ALLOCATION_TYPE_PINNED, props.location.type = type, props.location.id = id;
    CUmemGenericAllocationHandle memory;
    if (const int error = cuMemCreate(&memory, bytes, &props, 0)) return error;
    cuMemAddressReserve(&at, bytes, 0, 0, 0);
    return cuMemMap(at, bytes, 0, memory, 0);
}
static int allow(CUdeviceptr at, CUmemLocationType type, CUmemAccess_flags flags) {
    CUmemAccessDesc access = {};
    access.location.type = type, access.flags = flags;
    return cuMemSetAccess(at, bytes, &access, 1);
}
static unsigned long long may(CUdeviceptr at, CUmemLocationType type) {
    CUmemLocation place = {};
    place.type = type;
    unsigned long long flags = 99;
    cuMemGetAccess(&flags, &place, at);
    return flags;
}

int main(int, char** arguments) {
    unsigned *out, *p;
    cudaMalloc(&out, 64);
    CUdeviceptr at = 0;
    unsigned host[16] = {}, got = 0, flags = 99;
    const auto read = [&] {
        load<<<1, 1>>>(p, out);
        const int error = cudaDeviceSynchronize();
        cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost);
        return error;
    };
    if (std::atoi(arguments[1]) == 0) {
        make(CU_MEM_LOCATION_TYPE_DEVICE, 0, at), p = (unsigned*)at;
        allow(at, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
        store<<<1, 1>>>(p);
        std::printf("read-only: set %d", allow(at, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_ACCESS_FLAGS_PROT_READ));
        cuPointerGetAttribute(&flags, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, at);
        std::printf(", told %llu, pointer %u", may(at, CU_MEM_LOCATION_TYPE_DEVICE), flags);
        const int loaded = read();
        std::printf("; load %d %u; copies in %d", loaded, got, (int)cudaMemcpy(p, host, 64, cudaMemcpyHostToDevice));
        std::printf(", fill %d, copy out %d", (int)cudaMemset(p, 1, 64), (int)cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost));
        allow(at, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
        add<<<1, 1>>>(p);
        const int again = read();
        std::printf("; written again %d %u\n", again, got);
        allow(at, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_ACCESS_FLAGS_PROT_READ);
        store<<<1, 1>>>(p);
        std::printf("a store: %d\n", (int)cudaDeviceSynchronize());
        return 0;
    }
    CUmemAllocationProp props = {};
    props.type = CU_MEM_ALLOCATION_TYPE_PINNED, props.location.type = CU_MEM_LOCATION_TYPE_HOST;
    size_t unit = 0;
    cuMemGetAllocationGranularity(&unit, &props, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    make(CU_MEM_LOCATION_TYPE_HOST, 0, at), p = (unsigned*)at;
    allow(at, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUmemGenericAllocationHandle handle;
    cuMemRetainAllocationHandle(&handle, p);
    CUmemAllocationProp told = {};
    cuMemGetAllocationPropertiesFromHandle(&told, handle);
    unsigned type = 9;
    cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, p);
    std::printf("host's: granularity %zu, made at place %d of type %d, memory type %u, device may %llu, host may %llu\n", unit,
                (int)told.location.type, (int)attributes.type, type, may(at, CU_MEM_LOCATION_TYPE_DEVICE),
                may(at, CU_MEM_LOCATION_TYPE_HOST));
    *p = 7;
    read();
    const unsigned by_host = got;
    store<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    std::printf("the host wrote %u, the device %u", by_host, *p);
    const int in = cudaMemcpy(p + 16, host, 64, cudaMemcpyHostToDevice), back = cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost),
              across = cudaMemcpy(out, p, 64, cudaMemcpyDefault);
    std::printf("; copies %d %d %d: %u\n", in, back, across, host[0]);
    CUdeviceptr none, devices;
    make(CU_MEM_LOCATION_TYPE_DEVICE, 0, devices);
    std::printf("refused: no such node %d, the current node %d, a device's to the host %d\n",
                make(CU_MEM_LOCATION_TYPE_HOST_NUMA, 99, none), make(CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0, none),
                allow(devices, CU_MEM_LOCATION_TYPE_HOST, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    make(CU_MEM_LOCATION_TYPE_HOST_NUMA, 0, at), p = (unsigned*)at;
    allow(at, CU_MEM_LOCATION_TYPE_HOST_NUMA, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    *p = 11;
    std::printf("without leave: host %u, device %d\n", *p, read());
    return 0;
}

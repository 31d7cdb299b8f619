// Memory and events between processes: handles through shared memory, files through a socket; a parent and a child that
// is the same program, started again.
// RUN: lockstep run %s -lcuda
// OUT: ^child: memory of the parent: right, the same again: yes$
// OUT: ^child: pool: right, mapped memory: right$
// OUT: ^child: errors 800 1 1 999 999 400 1 1$
// OUT: ^parent: what the child wrote: right right right$
// OUT: ^parent: errors 1 1 1 201 1 400 1 201 1 1 1$
// OUT: ^child ended with 0$
// ERR: cudaIpcOpenMemHandle: the memory was freed by the process that had allocated it
#include <cuda.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define REQUIRE(call)                                                   \
    if (const int error = (call)) {                                     \
        std::printf("line %d: %s: error %d\n", __LINE__, #call, error); \
        return 1;                                                       \
    }
static const char* verdict(bool right) { return right ? "right" : "WRONG"; }

constexpr int count = 1000;
struct Shared {
    cudaIpcMemHandle_t memory, freed;
    cudaIpcEventHandle_t event;
    cudaMemPoolPtrExportData from_pool;
    volatile int step;
};
static void wait_for(const Shared& shared, int step) {
    for (int i = 0; i < 60000 && shared.step < step; ++i) usleep(1000);
}

__global__ void add(int* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) p[i] += n;
}
__global__ void number(int* p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) p[i] = i;
}
static bool holds(const int* device, int more) {
    int host[count];
    if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return false;
    for (int i = 0; i < count; ++i)
        if (host[i] != i + more) return false;
    return true;
}

static void send_file(int to, int file) {
    char byte = 0, space[CMSG_SPACE(sizeof(int))] = {};
    iovec data = {&byte, 1};
    msghdr message = {};
    message.msg_iov = &data, message.msg_iovlen = 1, message.msg_control = space, message.msg_controllen = sizeof space;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS, header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
    if (sendmsg(to, &message, 0) != 1) std::perror("sendmsg");
}
static int receive_file(int from) {
    char byte = 0, space[CMSG_SPACE(sizeof(int))] = {};
    iovec data = {&byte, 1};
    msghdr message = {};
    message.msg_iov = &data, message.msg_iovlen = 1, message.msg_control = space, message.msg_controllen = sizeof space;
    int file = -1;
    if (recvmsg(from, &message, 0) == 1) std::memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    return file;
}
static CUmemAllocationProp properties() {
    CUmemAllocationProp props = {};
    props.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    props.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return props;
}
static CUdeviceptr map(CUmemGenericAllocationHandle handle) {
    CUdeviceptr address = 0;
    CUmemAccessDesc access = {};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE, access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (cuMemAddressReserve(&address, 2 << 20, 0, 0, 0) || cuMemMap(address, 2 << 20, 0, handle, 0) ||
        cuMemSetAccess(address, 2 << 20, &access, 1))
        return 0;
    return address;
}

static int child(Shared& shared, int socket) {
    REQUIRE(cuInit(0));
    wait_for(shared, 1);
    int *memory = nullptr, *again = nullptr;
    cudaEvent_t event;
    REQUIRE(cudaIpcOpenEventHandle(&event, shared.event));
    REQUIRE(cudaIpcOpenMemHandle((void**)&memory, shared.memory, cudaIpcMemLazyEnablePeerAccess));
    REQUIRE(cudaIpcOpenMemHandle((void**)&again, shared.memory, cudaIpcMemLazyEnablePeerAccess));
    // The parent's stream gets there when its host function has ended.
    cudaStream_t stream;
    REQUIRE(cudaStreamCreate(&stream));
    REQUIRE(cudaStreamWaitEvent(stream, event, 0));
    add<<<4, 256, 0, stream>>>(memory, 0);
    REQUIRE(cudaStreamSynchronize(stream));
    REQUIRE(cudaEventSynchronize(event));
    std::printf("child: memory of the parent: %s, the same again: %s\n", verdict(holds(memory, 5)), memory == again ? "yes" : "no");
    add<<<4, 256, 0, stream>>>(memory, 100);
    REQUIRE(cudaEventRecord(event, stream));

    const int pool_file = receive_file(socket), memory_file = receive_file(socket);
    cudaMemPool_t pool;
    int* from_pool = nullptr;
    REQUIRE(cudaMemPoolImportFromShareableHandle(&pool, (void*)(size_t)pool_file, cudaMemHandleTypePosixFileDescriptor, 0));
    REQUIRE(cudaMemPoolImportPointer((void**)&from_pool, pool, &shared.from_pool));
    CUmemGenericAllocationHandle handle;
    REQUIRE(cuMemImportFromShareableHandle(&handle, (void*)(size_t)memory_file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    int* const mapped = (int*)map(handle);
    std::printf("child: pool: %s, mapped memory: %s\n", verdict(holds(from_pool, 7)), verdict(holds(mapped, 9)));
    add<<<4, 256>>>(from_pool, 100);
    add<<<4, 256>>>(mapped, 100);
    REQUIRE(cudaDeviceSynchronize());

    std::printf("child: errors");
    void* none;
    const auto error = [](int result) { std::printf(" %d", result); };
    error(cudaIpcOpenMemHandle(&none, shared.freed, cudaIpcMemLazyEnablePeerAccess));
    error(cudaFree(memory));
    error(cudaMallocFromPoolAsync(&none, 64, pool, 0));
    error(cudaMemPoolImportFromShareableHandle(&pool, (void*)(size_t)socket, cudaMemHandleTypePosixFileDescriptor, 0));
    error(cuMemImportFromShareableHandle(&handle, (void*)(size_t)9999, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    float time;
    error(cudaEventElapsedTime(&time, event, event));
    REQUIRE(cudaFreeAsync(from_pool, 0));
    REQUIRE(cudaIpcCloseMemHandle(memory));
    REQUIRE(cudaIpcCloseMemHandle(memory));
    error(cudaIpcCloseMemHandle(memory));
    error(cudaMemset(memory, 0, 4));
    std::printf("\n");
    std::fflush(stdout);
    shared.step = 2;
    return 0;
}

int main(int arguments, char** argument) {
    if (arguments == 3)
        return child(*(Shared*)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(argument[1]), 0), std::atoi(argument[2]));
    const int file = memfd_create("handles", 0);
    int sockets[2];
    REQUIRE(ftruncate(file, 4096) | socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    Shared& shared = *(Shared*)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    const pid_t process = fork();
    if (process == 0) {
        const char name[] = "/proc/self/exe";
        execl(name, argument[0], std::to_string(file).c_str(), std::to_string(sockets[1]).c_str(), (char*)nullptr);
        return 127;
    }
    REQUIRE(cuInit(0));
    // Small memory, so that others lie in the same pages.
    int *before, *memory, *freed, *own;
    cudaEvent_t event;
    REQUIRE(cudaMalloc(&before, 4000));
    REQUIRE(cudaMalloc(&memory, sizeof(int) * count));
    REQUIRE(cudaMalloc(&freed, 1 << 20));
    number<<<4, 256>>>(before);
    REQUIRE(cudaIpcGetMemHandle(&shared.memory, memory));
    REQUIRE(cudaIpcGetMemHandle(&shared.freed, freed));
    REQUIRE(cudaFree(freed));
    REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
    REQUIRE(cudaIpcGetEventHandle(&shared.event, event));
    cudaStream_t stream;
    REQUIRE(cudaStreamCreate(&stream));
    REQUIRE(cudaLaunchHostFunc(stream, [](void*) { usleep(200000); }, nullptr));
    number<<<4, 256, 0, stream>>>(memory);
    add<<<4, 256, 0, stream>>>(memory, 5);
    REQUIRE(cudaEventRecord(event, stream));

    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned, props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool;
    int pool_file, memory_file, *from_pool;
    REQUIRE(cudaMemPoolCreate(&pool, &props));
    REQUIRE(cudaMallocFromPoolAsync((void**)&from_pool, sizeof(int) * count, pool, stream));
    number<<<4, 256, 0, stream>>>(from_pool);
    add<<<4, 256, 0, stream>>>(from_pool, 7);
    REQUIRE(cudaMemPoolExportToShareableHandle(&pool_file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    REQUIRE(cudaMemPoolExportPointer(&shared.from_pool, from_pool));
    const CUmemAllocationProp how = properties();
    CUmemGenericAllocationHandle handle;
    REQUIRE(cuMemCreate(&handle, 2 << 20, &how, 0));
    REQUIRE(cuMemExportToShareableHandle(&memory_file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    int* const mapped = (int*)map(handle);
    number<<<4, 256>>>(mapped);
    add<<<4, 256>>>(mapped, 9);
    send_file(sockets[0], pool_file);
    send_file(sockets[0], memory_file);
    shared.step = 1;
    wait_for(shared, 2);
    REQUIRE(cudaEventSynchronize(event));
    std::printf("parent: what the child wrote: %s %s %s\n", verdict(holds(memory, 105) && holds(before, 0)), verdict(holds(from_pool, 107)),
                verdict(holds(mapped, 109)));

    std::printf("parent: errors");
    const auto error = [](int result) { std::printf(" %d", result); };
    cudaIpcMemHandle_t handle_of_none, zero = {};
    int on_stack;
    void* none;
    REQUIRE(cudaMallocManaged(&own, 4096));
    error(cudaIpcGetMemHandle(&handle_of_none, &on_stack));
    error(cudaIpcGetMemHandle(&handle_of_none, own));
    error(cudaIpcGetMemHandle(&handle_of_none, from_pool));
    error(cudaIpcOpenMemHandle(&none, shared.memory, cudaIpcMemLazyEnablePeerAccess));
    error(cudaIpcOpenMemHandle(&none, zero, cudaIpcMemLazyEnablePeerAccess));
    cudaEvent_t plain;
    cudaIpcEventHandle_t event_handle;
    REQUIRE(cudaEventCreate(&plain));
    error(cudaIpcGetEventHandle(&event_handle, plain));
    error(cudaEventCreateWithFlags(&plain, cudaEventInterprocess));
    error(cudaIpcOpenEventHandle(&plain, shared.event));
    error(cudaIpcCloseMemHandle(memory));
    cudaMemPool_t usual;
    REQUIRE(cudaDeviceGetDefaultMemPool(&usual, 0));
    error(cudaMemPoolExportToShareableHandle(&pool_file, usual, cudaMemHandleTypePosixFileDescriptor, 0));
    error(cudaMemPoolExportPointer(&shared.from_pool, memory));
    std::printf("\n");
    REQUIRE(cudaFree(memory));
    int status = 0;
    waitpid(process, &status, 0);
    std::printf("child ended with %d\n", status);
    return 0;
}

// A launch that fails is no success, whatever the program makes of it: the last lines name kernel and reason.
// RUN: lockstep profile --metrics inst_executed %s -- fault
// EXIT: 1
// OUT: ^          2  inst_executed
// ERR: ^lockstep: write\(int \*, int\): 1 launch failed: kernel .*out of bounds
// RUN: lockstep profile --expect 'write: inst_executed >= 0' %s -- fault
// EXIT: 1
// RUN: lockstep profile --kernels other --metrics inst_executed %s -- fault
// EXIT: 1
// OUT: ^          1  inst_executed
// ERR: ^lockstep: write\(int \*, int\): 1 launch failed: kernel .*out of bounds
// RUN: lockstep profile --metrics inst_executed %s -- fault 7
// EXIT: 7
// ERR: ^lockstep: write\(int \*, int\): 1 launch failed
// RUN: lockstep profile --json - --metrics inst_executed %s -- fault
// EXIT: 1
// OUT: "complete": true, "missing": \[\], "failures": \[\{"kernel": "write\(int \*, int\)", "kind": "fault", "launches": 1, "reason": ".*out of bounds
// OUT: "kernel": "write\(int \*, int\)", "device": 0, "invocations": 2, "faults": 1
// RUN: lockstep profile --launches --csv - --metrics inst_executed %s -- fault
// EXIT: 1
// ERR: ^lockstep: write\(int \*, int\): 1 launch failed; its counts end where it did
// RUN: lockstep profile -o %t/a.lockstep %s -- fault; lockstep profile --from %t/a.lockstep
// EXIT: 1
// ERR: ^lockstep: write\(int \*, int\): 1 launch failed: kernel .*out of bounds
// RUN: lockstep profile %s -- refused
// EXIT: 1
// ERR: ^lockstep: write\(int \*, int\): 2 launches failed: the block \(2048, 1, 1\)
// RUN: lockstep profile --kernels other %s -- refused
// OUT: 1 kernel, 1 launch$
// RUN: lockstep profile %s -- unsupported
// EXIT: 125
// ERR: ^lockstep: unsupported\(unsigned long \*\): 1 launch failed: .*clusterlaunchcontrol
// RUN: lockstep profile %s -- unsupported-quick
// EXIT: 1
// ERR: ^lockstep: unsupported\(unsigned long \*\): 1 launch failed: .*clusterlaunchcontrol
// RUN: lockstep nvprof %s fault
// EXIT: 1
// ERR: ^lockstep: write\(int \*, int\): 1 launch failed: kernel .*out of bounds
// RUN: lockstep timeline %s -- fault
// EXIT: 1
// ERR: ^lockstep: write\(int \*, int\): 1 launch failed: kernel .*out of bounds
// RUN: lockstep timeline --json - %s -- fault
// EXIT: 1
// OUT: "complete": true
// OUT: "kind": "fault"
// RUN: lockstep sweep --block 64,128 %s -- fault
// EXIT: 1
// ERR: out of bounds
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

__global__ void write(int* out, int first) { out[first + threadIdx.x] = 1; }
__global__ void other() {}
__global__ void unsupported(unsigned long* out) {
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%0];" ::"l"(out));
}

int main(int count, char** arguments) {
    const std::string how = arguments[1];
    int* out = nullptr;
    cudaMalloc(&out, 128);
    other<<<1, 32>>>();
    if (how == "fault") {
        write<<<1, 32>>>(out, 0);
        write<<<1, 32>>>(out, 1);
    }
    if (how == "refused")
        for (int i = 0; i < 2; ++i) write<<<1, 2048>>>(out, 0);
    if (how.rfind("unsupported", 0) == 0) unsupported<<<1, 1>>>(reinterpret_cast<unsigned long*>(out));
    cudaDeviceSynchronize();
    if (how == "unsupported-quick") _exit(0);
    return count > 2 ? std::atoi(arguments[2]) : 0;
}

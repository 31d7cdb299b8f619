// However a program ends, what ran before is kept and shown, and its exit status stays.
// RUN: lockstep profile --metrics inst_executed %s -- abort
// EXIT: signal ABRT
// OUT: ^== lockstep == .*1 kernel, 2 launches$
// OUT: ^          2  inst_executed
// OUT: ^== lockstep == not complete: process [0-9]+ was ended by signal 6 \(Aborted\)$
// ERR: ^lockstep: \./profile-ends was ended by signal 6
// RUN: lockstep profile --metrics inst_executed %s -- kill
// EXIT: signal KILL
// OUT: ^          2  inst_executed
// RUN: lockstep profile --metrics inst_executed %s -- quick
// EXIT: 7
// OUT: ^          2  inst_executed
// RUN: lockstep profile --metrics inst_executed %s -- exit
// EXIT: 3
// OUT: ^          2  inst_executed
// RUN: lockstep profile --metrics inst_executed --launches %s -- fault
// EXIT: 1
// OUT: ^     2  add
// OUT: ^     3  add
// OUT: ^        failed: .*out of bounds
// OUT: ^== lockstep == add\(int \*\): 1 launch failed; its counts end where it did$
// ERR: out of bounds
// RUN: lockstep profile --metrics inst_executed %s -- nothing
// EXIT: 1
// ERR: ^lockstep: \./profile-ends: nothing to show, no kernel was launched$
// RUN: lockstep profile --kernels nobody --metrics inst_executed %s -- none
// EXIT: 1
// ERR: no kernel was launched that --kernels
// RUN: lockstep profile --metrics inst_executed %s -- fork
// OUT: ^== lockstep == .*1 kernel, 17 launches$
// RUN: lockstep profile --metrics inst_executed --launches %s -- many
// OUT: ^  2000  add
// OUT: ^== lockstep == add\(int \*\): 3002 of 5002 launches have no row of their own \(a kernel keeps 2000\)
// NOT: ^  2001  add
// RUN: lockstep profile --metrics inst_executed %s -- many
// OUT: ^       5002  inst_executed
// RUN: ulimit -f 1000; lockstep profile --metrics inst_executed %s -- many
// EXIT: 1
// OUT: ^still running$
// OUT: ^== lockstep == not complete: launches are missing: .* could not be written to the end$
// ERR: ^lockstep: .*run\.lockstep: .*; launches from here on are not profiled, the program goes on$
// A run is complete if its processes were seen to end.
// RUN: lockstep profile --json - --metrics inst_executed %s -- kill
// EXIT: signal KILL
// OUT: "complete": false, "missing": \["process [0-9]+ was ended by signal 9 \(Killed\)"\]
// RUN: lockstep profile --launches --json - --metrics inst_executed %s -- kill
// EXIT: signal KILL
// OUT: "complete": false
// RUN: lockstep profile --csv - --metrics inst_executed %s -- kill
// EXIT: signal KILL
// ERR: ^lockstep: not complete: process [0-9]+ was ended by signal 9
// RUN: lockstep profile --json - --metrics inst_executed %s -- destructor
// EXIT: signal SEGV
// OUT: "complete": false
// RUN: lockstep profile --json - --metrics inst_executed %s -- quick
// EXIT: 7
// OUT: "complete": true
// RUN: lockstep profile --json - --metrics inst_executed %s -- exec
// OUT: "complete": true
// OUT: "invocations": 4
// RUN: lockstep profile --json - --metrics inst_executed %s -- children
// OUT: "complete": true
// OUT: "invocations": 4
// RUN: lockstep profile --json - --metrics inst_executed %s -- fork
// OUT: "complete": false, "missing": \["processes [0-9]+, [0-9]+ were not seen to end
// RUN: lockstep profile --json - --metrics inst_executed %s -- nothing
// EXIT: 1
// OUT: "complete": true
// RUN: lockstep nvcc -o %t/alone %s && (LOCKSTEP_PROFILE=%t/run %t/alone fine; LOCKSTEP_PROFILE=%t/run %t/alone exec); ls %t; lockstep profile --from %t/run --json - --metrics inst_executed
// OUT: ^alone$
// OUT: ^run$
// OUT: "complete": true
// OUT: "invocations": 6
// NOT: ^run-
// RUN: LOCKSTEP_PROFILE=%t/run %t/alone kill; lockstep profile --from %t/run --json - --metrics inst_executed; ls %t
// OUT: "complete": false, "missing": \["process [0-9]+ was not seen to end
// OUT: "invocations": 8
// NOT: ^run-
#include <cuda_runtime.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

// Destroyed after lockstep's own end.
struct Last {
    bool crashes = false;
    ~Last() {
        if (crashes) raise(SIGSEGV);
    }
} last;

__global__ void add(int* out) { atomicAdd(out + threadIdx.x, 1); }

int main(int, char** argv) {
    const std::string how = argv[1];
    int* out = nullptr;
    cudaMalloc(&out, 128);
    if (how == "nothing") return 0;
    add<<<1, 32>>>(out);
    add<<<1, 32>>>(out);
    if (how == "abort") std::abort();
    if (how == "kill") raise(SIGKILL);
    if (how == "quick") _exit(7);
    if (how == "destructor") last.crashes = true;
    if (how == "exec") execl("/proc/self/exe", argv[0], "fine", nullptr);
    if (how == "children") {
        if (fork() == 0) execl("/proc/self/exe", argv[0], "fine", nullptr);
        int status = 0;
        wait(&status);
    }
    if (how == "exit") std::exit(3);
    if (how == "fault") {
        add<<<1, 64>>>(out);
        return cudaDeviceSynchronize() != cudaSuccess;
    }
    if (how == "many")
        for (int i = 0; i < 5000; ++i) add<<<1, 32>>>(out);
    if (how == "many") std::puts("still running");
    if (how == "fork") {
        for (int child = 0; child < 3; ++child)
            if (fork() == 0) {
                for (int i = 0; i < 5; ++i) add<<<1, 32>>>(out);
                if (child == 1) std::exit(0);
                _exit(0);
            }
        while (wait(nullptr) > 0) {
        }
    }
    return 0;
}

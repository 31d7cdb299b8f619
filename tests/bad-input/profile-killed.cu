// A signal ends the profiled program, too, even one that lockstep does not live to pass on; nothing is left
// behind, and what is kept says that it is not complete.
// RUN: sh %S/../e2e/support/kill-profile.sh TERM %s %t
// OUT: ^status 143$
// OUT: ^program gone$
// OUT: ^kept: run\.lockstep$
// NOT: ^left:|^kept: .*-
// RUN: lockstep profile --from %t/run.lockstep --json -
// OUT: "complete": false, "missing": \["process [0-9]+ was ended by signal 15 \(Terminated\)"\]
// OUT: "kernel": "add\(int \*\)", "device": 0, "invocations": 1
// RUN: lockstep profile --from %t/run.lockstep
// OUT: ^== lockstep == not complete: process [0-9]+ was ended by signal 15
// RUN: lockstep compare %t/run.lockstep %t/run.lockstep
// OUT: ^A is not complete: process [0-9]+ was ended by signal 15
// ERR: warning: .*run\.lockstep is not complete
// RUN: sh %S/../e2e/support/kill-profile.sh INT %s %t
// OUT: ^status 130$
// OUT: ^program gone$
// NOT: ^left:|^kept: .*-
// RUN: sh %S/../e2e/support/kill-profile.sh HUP %s %t
// OUT: ^status 129$
// OUT: ^program gone$
// NOT: ^left:|^kept: .*-
// RUN: sh %S/../e2e/support/kill-profile.sh KILL %s %t
// OUT: ^status 137$
// OUT: ^program gone$
// OUT: ^left: lockstep-tmp-
// NOT: ^kept: .*-
// RUN: touch -d '2 minutes ago' %t/tmp/lockstep-tmp-*; TMPDIR=%t/tmp lockstep profile %s -- nothing > %t/out; ls -A %t/tmp
// NOT: .
// RUN: mkdir -p %t/tmp; TMPDIR=%t/tmp lockstep profile --metrics all %s -- nothing | head -c 10 > %t/out; ls -A %t/tmp
// NOT: .
// RUN: mkdir -p %t/new; cd %t/new; for i in 1 2 3 4 5 6 7 8 9 10; do { lockstep profile --no-cache -o same.lockstep %s -- nothing > out.$i 2> err.$i; echo "ended $?"; } & done; wait; grep -L 'nothing wrong' out.*; grep -h 'another lockstep' err.* | sort -u; lockstep profile --from same.lockstep --json - --metrics inst_executed; rm out.* err.*; ls -A
// OUT: ^ended 0$
// OUT: "complete": true
// OUT: "invocations": 1
// OUT: ^same\.lockstep$
// NOT: ^ended [2-9]|^same\.lockstep.|malformed|locked
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <string>

__global__ void add(int* out) { atomicAdd(out, 1); }

int main(int, char** arguments) {
    int* out = nullptr;
    cudaMalloc(&out, 128);
    add<<<1, 32>>>(out);
    std::puts("nothing wrong");
    if (std::string(arguments[1]) != "wait") return 0;
    std::FILE* started = std::fopen(arguments[2], "w");
    std::fprintf(started, "%d\n", static_cast<int>(getpid()));
    std::fclose(started);
    for (int i = 0; i < 60; ++i) sleep(1);
}

// lockstep check as a command: exit status, formats, choices. What it finds has tests of its own.
// RUN: lockstep check %s -- fine
// OUT: ^sum 4950$
// OUT: ^== lockstep == nothing found \(memory, race, sync, init, leak, host, undefined\)$
// NOT: error
// RUN: lockstep check --tool memcheck tests/check/a01_heat2d.cu
// EXIT: 1
// OUT: ^  read at .*a01_heat2d\.cu:18 in heat_step$
// RUN: lockstep check --json %t/f.json --sarif %t/f.sarif --junit %t/f.xml %s -- race; echo "status $?"; cat %t/f.json %t/f.sarif %t/f.xml
// OUT: ^sum 4950$
// OUT: ^error: race: .*
// OUT: ^  in kernel sum$
// OUT: ^  write at .*check\.cu:[0-9]+ in sum$
// OUT: ^ +by block \(0,0,0\), thread \([0-9]+,0,0\)$
// OUT: ^ +[0-9]+ \|     part\[t\] = t;$
// OUT: ^ +\|     \^~~~~~~~~~~~$
// OUT: ^  read at .*check\.cu:%l in sum$
// OUT: ^  fix: .*__syncthreads
// OUT: ^== lockstep == 1 finding: 1 race$
// OUT: ^status 1$
// OUT: "class": "race",$
// OUT: "kernel": "sum\(
// OUT: "places": \[
// OUT: "line": %l,$
// OUT: "version": "2\.1\.0",
// OUT: "ruleId": "race/
// OUT: "startLine": [0-9]+
// OUT: <testcase classname="lockstep\.race" name=".*check\.cu:[0-9]+.*" file="
// OUT: <testcase classname="lockstep\.leak" name="leak"/>
// RUN: lockstep check --tool memcheck,leak %s -- race && lockstep check --fail-on leak --color always %s -- race
// OUT: nothing found \(memory, leak\)$
// OUT: 1 finding: 1 race$
// RUN: cd %t && printf '# known\nrace check.cu sum\nleak\n' > known.txt && lockstep check --suppressions known.txt --log log.txt %s -- race && cat log.txt
// OUT: ^sum 4950$
// OUT: ^== lockstep == known\.txt:3: 'leak' suppresses nothing$
// OUT: ^== lockstep == nothing found \(memory, race, sync, init, leak, host, undefined\); 1 suppressed$
// The program's own exit status is told, but is no finding.
// RUN: lockstep check --json - --tool racecheck %s -- fail
// OUT: "exit_status": 3,
// OUT: "the program exited with status 3"
// ERR: nothing found \(race\)$
//
// The same in another tool's words.
// RUN: eval "$(lockstep shims)" && cd %t && nvcc -o prog %s && compute-sanitizer --tool racecheck --error-exitcode 7 ./prog race
// EXIT: 7
// OUT: ^========= COMPUTE-SANITIZER$
// OUT: ^sum 4950$
// OUT: ^========= Error: Race reported between Write access at sum\(.*\) in check\.cu:[0-9]+$
// OUT: ^=========     and Read access at sum\(.*\) in check\.cu:%l \[[0-9]+ hazards\]$
// OUT: ^========= RACECHECK SUMMARY: 1 hazard displayed \(1 error, 0 warnings\)$
// RUN: cd %t && lockstep compute-sanitizer --log-file log-%%p-%%q{WHAT}.txt ./prog fail; echo "status $?"; cat log-*-x.txt
// ENV: WHAT=x
// OUT: ^status 3$
// OUT: ^========= COMPUTE-SANITIZER$
// OUT: ^========= Target application returned an error$
// OUT: ^========= ERROR SUMMARY: 0 errors$
// RUN: cd %t && lockstep compute-sanitizer --tool racecheck --kernel-name kne=other ./prog race && lockstep compute-sanitizer --xml ./prog
// EXIT: 2
// OUT: RACECHECK SUMMARY: 0 hazards displayed \(0 errors, 0 warnings\)$
// ERR: compute-sanitizer: --xml is not supported: take lockstep check --json
#include <cstdio>
#include <cstring>

__global__ void sum(int* out, int n, bool together) {
    __shared__ int part[128];
    const int t = threadIdx.x;
    part[t] = t;
    if (together) __syncthreads();
    if (t != n - 1) return;
    int all = 0;
    for (int i = 0; i < n; ++i) all += part[i];  // HERE
    *out = all;
}

int main(int, char** argv) {
    constexpr int n = 100;
    int *out, result = 0;
    cudaMalloc(&out, sizeof(int));
    sum<<<1, n>>>(out, n, std::strcmp(argv[1], "race") != 0);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    std::printf("sum %d\n", result);
    return std::strcmp(argv[1], "fail") == 0 ? 3 : 0;
}

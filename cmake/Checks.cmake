# Tests of the project as a whole, beside those of its folders in tests/.

# The code for the plainest CPU of this kind gives the same results as the code for this machine's own.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(plain_cpu x86-64)
else()
    set(plain_cpu generic)
endif()
add_test(NAME plain_cpu.conformance COMMAND test_exec --gtest_filter=Families/Golden.*:Programs/*)
add_test(NAME plain_cpu.programs
    COMMAND test_e2e --gtest_filter=e2e.control_flow:e2e.conversions:e2e.warp_functions:e2e.half:e2e.math_float:example.divergence:example.matmul)
set_tests_properties(plain_cpu.conformance plain_cpu.programs PROPERTIES ENVIRONMENT LOCKSTEP_CPU=${plain_cpu} TIMEOUT 600)

# An installation works from anywhere, without the source and build directories.
add_test(NAME install COMMAND ${CMAKE_SOURCE_DIR}/scripts/test-install.sh ${CMAKE_BINARY_DIR})
set_tests_properties(install PROPERTIES TIMEOUT 120)

# Twenty seconds of fuzzing, where clang's libFuzzer is installed (scripts/setup.sh libclang-rt-19-dev).
file(GLOB fuzzer /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-*.a)
if(fuzzer AND NOT LOCKSTEP_SANITIZE AND NOT LOCKSTEP_FUZZ)
    add_test(NAME fuzz_parser COMMAND ${CMAKE_SOURCE_DIR}/scripts/fuzz.sh 20 -seed=1)
    set_tests_properties(fuzz_parser PROPERTIES TIMEOUT 600 COST 1000)
endif()

# `make sanitize` builds and runs the tests that need no compiled kernels. (The stacks that warps run on, and programs that
# load the runtime library, would need the sanitizers' help.) Whole programs, not test by test: looking for leaks at the
# end of a process takes seconds.
set(run_sanitized)
foreach(folder base gpu compile ptx kernel events report sweep)
    if(TARGET test_${folder})
        list(APPEND run_sanitized COMMAND test_${folder} --gtest_brief=1)
    endif()
endforeach()
add_custom_target(sanitized ${run_sanitized} USES_TERMINAL)

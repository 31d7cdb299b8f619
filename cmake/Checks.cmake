# Tests of the project as a whole, beside those of its folders in tests/.

# The code for the plainest CPU of this kind gives the same results as the code for this machine's own: a third of the
# conformance cases, and programs of several kinds.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(plain_cpu x86-64)
else()
    set(plain_cpu generic)
endif()
add_test(NAME plain_cpu.conformance COMMAND test_exec --gtest_filter=Families/Golden.*:Programs/*)
add_test(NAME plain_cpu.programs
    COMMAND test_e2e --gtest_filter=e2e.control_flow:e2e.warp_functions:e2e.half:example.divergence)
set_tests_properties(plain_cpu.conformance plain_cpu.programs PROPERTIES TIMEOUT 600 COST 100)
set_property(TEST plain_cpu.conformance
    PROPERTY ENVIRONMENT LOCKSTEP_CPU=${plain_cpu} GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=1)
set_property(TEST plain_cpu.programs PROPERTY ENVIRONMENT LOCKSTEP_CPU=${plain_cpu} LOCKSTEP_DRAFTS=0)

# … and so do drafts, which is what the programs among the tests mostly run.
add_test(NAME drafts.conformance COMMAND test_exec --gtest_filter=Families/Golden.*:Programs/*)
set_property(TEST drafts.conformance PROPERTY ENVIRONMENT LOCKSTEP_DRAFTS=1 GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=2)

# An installation works from anywhere, without the source and build directories.
add_test(NAME install COMMAND ${CMAKE_SOURCE_DIR}/scripts/test-install.sh ${CMAKE_BINARY_DIR})
set_tests_properties(install PROPERTIES TIMEOUT 120)

# Eight seconds of fuzzing each, where clang's libFuzzer is installed (scripts/setup.sh libclang-rt-19-dev).
file(GLOB fuzzer /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-*.a)
if(fuzzer AND NOT LOCKSTEP_SANITIZE)
    foreach(target parse run)
        add_test(NAME fuzz_${target} COMMAND ${CMAKE_SOURCE_DIR}/scripts/fuzz.sh ${target} 8 -seed=1)
        # They build in one directory.
        set_tests_properties(fuzz_${target} PROPERTIES TIMEOUT 1200 COST 1000 RESOURCE_LOCK fuzz)
    endforeach()
endif()

# Tests of the libraries under sanitizers, in a build of the preset `asan` or `tsan`. (Whole programs load the runtime
# library, which would need the sanitizers' help there.) Whole test programs, not test by test: looking for leaks at the
# end of a process takes seconds.
function(lockstep_sanitized name)
    cmake_parse_arguments(ARG "" "" "FOLDERS;WITHOUT" ${ARGN})
    list(JOIN ARG_WITHOUT ":" without)
    add_custom_target(${name})
    # A target each, so that one runs while another is still being compiled.
    foreach(folder ${ARG_FOLDERS})
        add_custom_target(${name}_${folder} COMMAND test_${folder} --gtest_brief=1 --gtest_filter=-${without} VERBATIM)
        add_dependencies(${name} ${name}_${folder})
    endforeach()
endfunction()

# What they find is in numbers and times, not in memory; smaller tests beside them go the same ways.
set(long_tests Families/* Programs/* Files/* GoldenKernels* ProgramKernels* CompileTime.* Speed.* Predict.DetailedAndSampledAgree
    SimulatedL2.ASampleIsRightAboutTheWhole)
if(LOCKSTEP_SANITIZE STREQUAL address)
    # Tests call functions of the engine by the types that their values travel as, as compiled code does.
    target_compile_options(test_exec PRIVATE -fno-sanitize=function)
    # What a program's code can reach, in every test run; conformance cases and code for other machines take long, and the
    # fuzz tests go the same way. All else: `make sanitize-all`.
    lockstep_sanitized(sanitized FOLDERS base ptx kernel exec WITHOUT ${long_tests})
    lockstep_sanitized(sanitized_all
        FOLDERS base gpu compile ptx kernel events machine counters timing report sweep exec session runtime)
elseif(LOCKSTEP_SANITIZE STREQUAL thread)
    lockstep_sanitized(sanitized FOLDERS exec timing session runtime WITHOUT ${long_tests} Scalar*)
endif()

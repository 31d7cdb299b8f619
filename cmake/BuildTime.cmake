# What keeps the build short. Most of its time goes into reading the headers of others and into the same templates in file
# after file. The presets `release`, `asan` and `tsan` therefore compile a folder's files in batches (CMake's unity builds);
# `debug` compiles each alone. Precompiled headers of the standard library and fmt were tried with GCC and won nothing: what a
# file instantiates costs as much as before, and every file pays for reading the header's image.

# They do win where tests are compiled each alone. (With ccache there are none: it keeps no file that uses one.)
target_precompile_headers(test_gpu PRIVATE <gtest/gtest.h>)
foreach(folder counters exec sweep runtime validation)
    target_precompile_headers(test_${folder} REUSE_FROM test_gpu)
endforeach()

# -O3 pays where lanes and events are walked: events, exec, counters and timing keep it.
foreach(folder base ptx kernel machine session runtime)
    target_compile_options(lockstep_${folder} PRIVATE $<$<CONFIG:Release>:-O2>)
endforeach()

# The command spends its time in the programs that it starts, and tests in what they call.
set(unhurried lockstep lockstep_gpu lockstep_compile lockstep_report lockstep_sweep validation)
foreach(folder base gpu compile ptx kernel events exec machine counters timing session report sweep cli include runtime e2e
        validation)
    if(TARGET test_${folder})
        list(APPEND unhurried test_${folder})
    endif()
endforeach()
foreach(target ${unhurried})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endforeach()

# What keeps the build short. Most of its time goes into reading the headers of others and into the same templates in file
# after file. The presets `release`, `asan` and `tsan` therefore compile a folder's files in batches (CMake's unity builds);
# `debug` compiles each alone. Precompiled headers of the standard library and fmt were tried with GCC and won nothing: what a
# file instantiates costs as much as before, and every file pays for reading the header's image.

# -O3 pays where lanes and events are walked: events, exec, counters and timing keep it.
foreach(folder base ptx kernel machine session runtime)
    target_compile_options(lockstep_${folder} PRIVATE $<$<CONFIG:Release>:-O2>)
endforeach()

# The command spends its time in the programs that it starts, and tests in what they call.
foreach(target lockstep lockstep-serve lockstep_gpu lockstep_labs lockstep_compile lockstep_report lockstep_sweep lockstep_explain validation)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endforeach()
get_property(tests DIRECTORY tests PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER tests INCLUDE REGEX "^test_")
foreach(target ${tests} test_runtime test_validation)
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O0>)
endforeach()

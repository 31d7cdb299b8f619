# Builds with clang's sanitizers, and what libFuzzer needs of the same code: the presets `asan` and `tsan`.
set(LOCKSTEP_SANITIZE "" CACHE STRING "Sanitizers to compile with: address or thread")
if(NOT LOCKSTEP_SANITIZE)
    return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "LOCKSTEP_SANITIZE needs clang: cmake --preset asan or tsan")
endif()
set(sanitizers ${LOCKSTEP_SANITIZE})
if(LOCKSTEP_SANITIZE STREQUAL address)
    set(sanitizers address,undefined,fuzzer-no-link)
endif()
add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer)
add_link_options(-fsanitize=${sanitizers})
if(LOCKSTEP_SANITIZE STREQUAL address)
    # vptr needs the run-time type information that LLVM is built without. Accesses through null and past an object's end
    # AddressSanitizer reports as well: looking for them twice is a fifth of the build. (Behind the others: they are of them.)
    add_compile_options(-fno-sanitize=vptr,null,object-size -fno-sanitize-recover=all
        # Frames that are kept after their function's return would be kept for every warp's stack.
        -fsanitize-address-use-after-return=never)
endif()

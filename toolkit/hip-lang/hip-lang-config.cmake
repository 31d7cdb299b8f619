# What CMake's HIP language asks an installation of ROCm for. lockstep's compiler brings headers and library along, so there is nothing in the
# targets.
if(NOT TARGET hip-lang::device)
    foreach(name device host amdhip64)
        add_library(hip-lang::${name} INTERFACE IMPORTED)
    endforeach()
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)

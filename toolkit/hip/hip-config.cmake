# find_package(hip), for projects whose C++ compiler is hipcc, or whose host code calls HIP's API.
set(hip_VERSION 6.2.41133)
set(HIP_PLATFORM amd)
set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
get_filename_component(_hip_library_dir ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
execute_process(COMMAND hipconfig --path OUTPUT_VARIABLE _hip_root)
if(NOT _hip_root)
    message(FATAL_ERROR "hipconfig is not in PATH: eval \"$(lockstep shims)\"")
endif()
if(NOT TARGET hip::host)
    foreach(name host device amdhip64)
        add_library(hip::${name} INTERFACE IMPORTED)
        set_target_properties(hip::${name} PROPERTIES
            INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${_hip_root}/include
            INTERFACE_COMPILE_DEFINITIONS __HIP_PLATFORM_AMD__=1
            INTERFACE_LINK_LIBRARIES ${_hip_library_dir}/libamdhip64.so)
    endforeach()
endif()

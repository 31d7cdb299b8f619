# LLVM (the JIT) and Boost.Context (a stack a warp) appear only in exec.
find_package(Boost REQUIRED COMPONENTS context)
target_include_directories(lockstep_exec SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(lockstep_exec PRIVATE ${llvm_definitions})
target_compile_options(lockstep_exec PRIVATE -fno-rtti)
target_link_libraries(lockstep_exec PRIVATE LLVM Boost::context)
# The tables of scalar operations, and of AMD's instructions, are alike on purpose, down to the names inside their files.
set(scalar_sources ${sources})
list(FILTER scalar_sources INCLUDE REGEX "/exec/(scalar|wave)/")
set_source_files_properties(${scalar_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Loops over lanes become vectors only where nobody looks at errno or the CPU's exceptions.
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/exec/scalar/rounded.cc PROPERTIES COMPILE_OPTIONS
    "-fno-math-errno;-fno-trapping-math")

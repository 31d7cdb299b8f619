# What keeps the build short. Most of its time goes into reading the headers of others, so the largest are read once.

# LLVM's, for the JIT. The rest of exec does not see them.
target_precompile_headers(lockstep_exec PRIVATE <llvm/IR/IRBuilder.h> <fmt/format.h>)
get_target_property(sources lockstep_exec SOURCES)
list(FILTER sources EXCLUDE REGEX "/exec/jit/")
set_source_files_properties(${sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

# The command spends its time in the programs that it starts.
target_precompile_headers(lockstep PRIVATE <CLI/CLI.hpp> <fmt/format.h>)
target_compile_options(lockstep PRIVATE $<$<CONFIG:Release>:-O1>)

# Tests call what is to be fast; they need not be fast themselves.
foreach(folder base gpu compile ptx kernel events exec machine counters timing session report sweep cli include runtime e2e
        validation)
    if(TARGET test_${folder})
        target_precompile_headers(test_${folder} PRIVATE <gtest/gtest.h>)
        target_compile_options(test_${folder} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
endforeach()
target_compile_options(validation PRIVATE $<$<CONFIG:Release>:-O1>)

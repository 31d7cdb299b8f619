# lockstep_library(NAME USES a b …): the library of src/NAME. Its sources see only their own folder and the named
# ones: each library gets a directory of links to just those, and that is its only project include path, so a
# forbidden #include does not compile.
set(LOCKSTEP_WARNINGS -Wall -Wextra -Wpedantic -Wno-missing-field-initializers
    # GCC 12 sees overlaps in std::string concatenation that are not there; clang sees what libstdc++'s sort uses inside.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

function(lockstep_include_view name)
    cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
    set(view ${CMAKE_BINARY_DIR}/views/${name})
    file(MAKE_DIRECTORY ${view})
    foreach(folder ${ARG_USES})
        file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${folder} ${view}/${folder} SYMBOLIC)
    endforeach()
    set(${name}_VIEW ${view} PARENT_SCOPE)
endfunction()

function(lockstep_library name)
    cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
    lockstep_include_view(${name} USES ${name} ${ARG_USES})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
    add_library(lockstep_${name} STATIC ${sources})
    target_include_directories(lockstep_${name} PRIVATE ${${name}_VIEW})
    target_compile_options(lockstep_${name} PRIVATE ${LOCKSTEP_WARNINGS})
    target_link_libraries(lockstep_${name} PUBLIC fmt::fmt)
    foreach(folder ${ARG_USES})
        target_link_libraries(lockstep_${name} PUBLIC lockstep_${folder})
    endforeach()

    if(EXISTS ${CMAKE_SOURCE_DIR}/src/${name}/Library.cmake)
        include(${CMAKE_SOURCE_DIR}/src/${name}/Library.cmake)
    endif()
endfunction()

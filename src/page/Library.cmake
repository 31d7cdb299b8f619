# The page's own text, style and script become one file of C++. The scripts are modules; in the page they are one script,
# in this order.
set(page_scripts dom format data state tips pan table chart traffic findings kernel overview source closeup accesses warps tree
    schedule timeline compare sweep metrics main)
list(TRANSFORM page_scripts REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/src/page/assets/\\1.js" OUTPUT_VARIABLE page_script_files)
file(GLOB page_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/page/assets/* ${CMAKE_SOURCE_DIR}/src/page/vendor/*)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/generated/page-assets.cc
    COMMAND ${CMAKE_COMMAND} "-DSCRIPTS=${page_script_files}" -DFOLDER=${CMAKE_SOURCE_DIR}/src/page
        -DOUTPUT=${CMAKE_BINARY_DIR}/generated/page-assets.cc -P ${CMAKE_SOURCE_DIR}/cmake/EmbedPage.cmake
    DEPENDS ${page_files} ${CMAKE_SOURCE_DIR}/cmake/EmbedPage.cmake ${CMAKE_SOURCE_DIR}/src/page/Library.cmake VERBATIM)
target_sources(lockstep_page PRIVATE ${CMAKE_BINARY_DIR}/generated/page-assets.cc)
target_link_libraries(lockstep_page PRIVATE nlohmann_json::nlohmann_json)

# PTX in fat binaries is compressed: by LZ4 up to CUDA 12.7, by zstd since.
find_path(LZ4_INCLUDE_DIR lz4.h REQUIRED)
find_library(LZ4_LIBRARY lz4 REQUIRED)
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)
target_include_directories(lockstep_compile SYSTEM PRIVATE ${LZ4_INCLUDE_DIR} ${ZSTD_INCLUDE_DIR})
target_link_libraries(lockstep_compile PUBLIC ${LZ4_LIBRARY} ${ZSTD_LIBRARY})
target_compile_definitions(lockstep_compile PRIVATE LOCKSTEP_VERSION="${PROJECT_VERSION}")

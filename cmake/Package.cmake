# A Debian package of what `cmake --install` installs (CPack); scripts/package.sh makes it, and a tarball beside it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockstep)
set(CPACK_PACKAGE_CONTACT "the lockstep project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "runs CUDA and HIP programs without a GPU, with counters and times")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"lockstep executes unmodified CUDA C++ and HIP programs warp by warp as a GPU
 does, counts what a GPU's hardware counters count, predicts times, finds bugs
 and explains why a kernel is slow.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Libraries by dpkg-shlibdeps; ours among them are found where they are installed.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, g++")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libomp-19-dev, libcub-dev, libthrust-dev, rocm-device-libs, openmpi-bin")
include(CPack)

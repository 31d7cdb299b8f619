# The toolchain for the other CPU family: x86-64 from arm64, arm64 from x86-64. With it, tests run under QEMU's user emulation.
# scripts/test-cross.sh makes the sysroot and uses it; LOCKSTEP_SYSROOT is where.
set(CMAKE_SYSTEM_NAME Linux)
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(CMAKE_SYSTEM_PROCESSOR x86_64)
else()
    set(CMAKE_SYSTEM_PROCESSOR aarch64)
endif()

set(LOCKSTEP_SYSROOT "" CACHE PATH "The other family's files, from scripts/cross-sysroot.sh")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LOCKSTEP_SYSROOT)
set(CMAKE_SYSROOT ${LOCKSTEP_SYSROOT})
set(CMAKE_C_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR} -L ${LOCKSTEP_SYSROOT})

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# pkg-config, which is this machine's, looks there.
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${LOCKSTEP_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${LOCKSTEP_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig:${LOCKSTEP_SYSROOT}/usr/share/pkgconfig)
# Its compiler wrapper is a program of this machine.
set(CMAKE_DISABLE_FIND_PACKAGE_MPI ON)

/* Memory for a `__shared__` variable whose type has a constructor: nvcc warns of it and does not call it, clang
 * refuses it. The compile driver declares such a variable as a reference to this (src/compile/respelled-lines.h). */
#ifndef LOCKSTEP_SHARED_STORAGE_H
#define LOCKSTEP_SHARED_STORAGE_H

namespace lockstep_shared {

template <class T>
struct Storage {
    __host__ __device__ __attribute__((always_inline)) T& object() { return reinterpret_cast<T&>(bytes); }
    alignas(T) unsigned char bytes[sizeof(T)];
};

}  // namespace lockstep_shared

#endif

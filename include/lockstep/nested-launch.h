/* Launches in device code. clang takes `k<<<…>>>(…)` there only inside a function for host and device, and
 * refuses that function as soon as device code calls it. What a constant points to it does not look at: the
 * compile driver puts each launch into a lambda (src/compile/respelling.h), which is called through one. The
 * device compiler makes calls of the device runtime from what clang has made of it. */
#ifndef LOCKSTEP_NESTED_LAUNCH_H
#define LOCKSTEP_NESTED_LAUNCH_H

namespace lockstep_nested {

template <class Launch>
__host__ __device__ inline void call(const Launch& launch) {
    launch();
}
template <class Launch>
struct hidden {
    static constexpr void (*call)(const Launch&) = &lockstep_nested::call<Launch>;
};
template <class Launch>
__host__ __device__ inline __attribute__((always_inline)) void launch(const Launch& launch) {
    hidden<Launch>::call(launch);
}

}  // namespace lockstep_nested

#endif

/* Thrust's own header, which clang 19 refuses: a member function of its template for references calls one that is not there, and that
 * nobody can have used. With a type that depends on the template, clang looks for it only where it is used, as nvcc does. */
#ifndef LOCKSTEP_THRUST_OPTIONAL_H
#define LOCKSTEP_THRUST_OPTIONAL_H
#ifdef __cplusplus
/* What it includes is not its own: before the macro. */
#include <thrust/addressof.h>
#include <thrust/detail/config.h>
#include <thrust/detail/type_traits.h>
#include <thrust/swap.h>
#include <exception>
#include <functional>
#include <new>
#include <type_traits>
#include <utility>

namespace lockstep {
template <class T>
__host__ __device__ constexpr T* as_dependent(T* p) noexcept {
    return p;
}
}  // namespace lockstep
#define this ::lockstep::as_dependent(this)
#include_next <thrust/optional.h>
#undef this
#endif
#endif

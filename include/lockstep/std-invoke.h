/* invoke and reference_wrapper, which tuple and functional both need. */
#ifndef LOCKSTEP_STD_INVOKE_H
#define LOCKSTEP_STD_INVOKE_H
#include "cuda/std/memory"
#include "cuda/std/utility"

namespace cuda {
namespace std {

template <class T>
class reference_wrapper;
template <class T>
struct lockstep_is_reference_wrapper : false_type {};
template <class T>
struct lockstep_is_reference_wrapper<reference_wrapper<T>> : true_type {};

/* A member of an object, of what a reference_wrapper refers to, or of what a pointer points to. */
template <class C, class T, enable_if_t<is_base_of<C, remove_cvref_t<T>>::value, int> = 0>
LOCKSTEP_STD_CX T&& lockstep_object(T&& t) {
    return cuda::std::forward<T>(t);
}
template <class C, class T,
          enable_if_t<!is_base_of<C, remove_cvref_t<T>>::value &&
                          lockstep_is_reference_wrapper<remove_cvref_t<T>>::value,
                      int> = 0>
LOCKSTEP_STD_CX auto lockstep_object(T&& t) -> decltype(t.get()) {
    return t.get();
}
template <class C, class T,
          enable_if_t<!is_base_of<C, remove_cvref_t<T>>::value &&
                          !lockstep_is_reference_wrapper<remove_cvref_t<T>>::value,
                      int> = 0>
LOCKSTEP_STD_CX auto lockstep_object(T&& t) -> decltype(*cuda::std::forward<T>(t)) {
    return *cuda::std::forward<T>(t);
}

template <class F, class... A, enable_if_t<!is_member_pointer<remove_cvref_t<F>>::value, int> = 0>
LOCKSTEP_STD_CX auto invoke(F&& f, A&&... a)
    -> decltype(cuda::std::forward<F>(f)(cuda::std::forward<A>(a)...)) {
    return cuda::std::forward<F>(f)(cuda::std::forward<A>(a)...);
}
template <class M, class C, class T, class... A, enable_if_t<is_function<M>::value, int> = 0>
LOCKSTEP_STD_CX auto invoke(M C::* m, T&& t, A&&... a)
    -> decltype((cuda::std::lockstep_object<C>(cuda::std::forward<T>(t)).*m)(cuda::std::forward<A>(a)...)) {
    return (cuda::std::lockstep_object<C>(cuda::std::forward<T>(t)).*m)(cuda::std::forward<A>(a)...);
}
template <class M, class C, class T, enable_if_t<!is_function<M>::value, int> = 0>
LOCKSTEP_STD_CX auto invoke(M C::* m, T&& t)
    -> decltype((cuda::std::lockstep_object<C>(cuda::std::forward<T>(t)).*m)) {
    return cuda::std::lockstep_object<C>(cuda::std::forward<T>(t)).*m;
}
template <class R, class F, class... A, enable_if_t<!is_void<R>::value, int> = 0>
LOCKSTEP_STD_CX R invoke_r(F&& f, A&&... a) {
    return cuda::std::invoke(cuda::std::forward<F>(f), cuda::std::forward<A>(a)...);
}
template <class R, class F, class... A, enable_if_t<is_void<R>::value, int> = 0>
LOCKSTEP_STD_CX14 R invoke_r(F&& f, A&&... a) {
    cuda::std::invoke(cuda::std::forward<F>(f), cuda::std::forward<A>(a)...);
}

template <class T>
class reference_wrapper {
    T* to_;

  public:
    using type = T;
    LOCKSTEP_STD_CX reference_wrapper(T& v) noexcept : to_(cuda::std::addressof(v)) {}
    reference_wrapper(T&&) = delete;
    LOCKSTEP_STD_CX operator T&() const noexcept { return *to_; }
    LOCKSTEP_STD_CX T& get() const noexcept { return *to_; }
    template <class... A>
    LOCKSTEP_STD_CX auto operator()(A&&... a) const
        -> decltype(cuda::std::invoke(*to_, cuda::std::forward<A>(a)...)) {
        return cuda::std::invoke(*to_, cuda::std::forward<A>(a)...);
    }
};
#if __cplusplus >= 201703L
template <class T>
LOCKSTEP_STD reference_wrapper(T&) -> reference_wrapper<T>;
#endif
template <class T>
LOCKSTEP_STD_CX reference_wrapper<T> ref(T& v) noexcept {
    return reference_wrapper<T>(v);
}
template <class T>
LOCKSTEP_STD_CX reference_wrapper<T> ref(reference_wrapper<T> v) noexcept {
    return v;
}
template <class T>
LOCKSTEP_STD_CX reference_wrapper<const T> cref(const T& v) noexcept {
    return reference_wrapper<const T>(v);
}
template <class T>
void ref(const T&&) = delete;
template <class T>
void cref(const T&&) = delete;
template <class T>
struct unwrap_reference {
    using type = T;
};
template <class T>
struct unwrap_reference<reference_wrapper<T>> {
    using type = T&;
};
template <class T>
using unwrap_reference_t = typename unwrap_reference<T>::type;

/* make_pair and make_tuple see through references. */
template <class T>
struct lockstep_unwrap_decay<reference_wrapper<T>> {
    using type = T&;
};
template <class T>
struct lockstep_unwrap_decay<reference_wrapper<T>&> {
    using type = T&;
};
template <class T>
struct lockstep_unwrap_decay<const reference_wrapper<T>&> {
    using type = T&;
};

}  // namespace std
}  // namespace cuda

#endif

// A plain C++ function that compiled kernels call lane by lane, and what a caller must know of it.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace lockstep::exec {

// How a value travels. f16, bf16 and the 8-bit floats travel as integers; i16 is a 16-bit value that C++
// receives and returns zero-extended in a std::uint32_t, because C calling conventions disagree about the
// upper bits.
enum class ScalarType : std::uint8_t { none, i16, i32, i64, f32, f64, pointer };

// The C++ side of ScalarType::i16.
enum class Bits16 : std::uint32_t {};

struct ScalarFunction {
    std::string_view name;
    void* address = nullptr;
    ScalarType result = ScalarType::none;
    std::array<ScalarType, 4> args{};
    int arg_count = 0;
    // Some argument is a generic address that the function reads or writes through; check it first.
    bool takes_pointers = false;
};

namespace detail {

template <class T>
constexpr ScalarType scalar_type() {
    if constexpr (std::is_void_v<T>)
        return ScalarType::none;
    else if constexpr (std::is_pointer_v<T>)
        return ScalarType::pointer;
    else if constexpr (std::is_same_v<T, float>)
        return ScalarType::f32;
    else if constexpr (std::is_same_v<T, double>)
        return ScalarType::f64;
    else if constexpr (std::is_same_v<T, Bits16>)
        return ScalarType::i16;
    else if constexpr (sizeof(T) == 4)
        return ScalarType::i32;
    else if constexpr (sizeof(T) == 8)
        return ScalarType::i64;
}

}  // namespace detail

template <class R, class... A>
ScalarFunction describe(std::string_view name, R (*function)(A...)) {
    static_assert(sizeof...(A) <= 4);
    return {name,
            reinterpret_cast<void*>(function),
            detail::scalar_type<R>(),
            {detail::scalar_type<A>()...},
            sizeof...(A),
            (std::is_pointer_v<A> || ...)};
}

}  // namespace lockstep::exec

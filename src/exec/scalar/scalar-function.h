// A plain C++ function that compiled kernels call lane by lane, or for all lanes at once where it has a form
// for that, and what a caller must know of it.
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

// What a function does through an argument that is a generic address, so that a caller can check it first. It
// follows from the argument's type: T* is written, const T* behind an int is an array of that many, and const
// char* a string with its end.
struct Pointee {
    enum class Kind : std::uint8_t { none, written, array, string } kind = Kind::none;
    int bytes = 0;  // of one element
};

struct ScalarFunction {
    std::string_view name;
    void* address = nullptr;
    ScalarType result = ScalarType::none;
    std::array<ScalarType, 4> args{};
    int arg_count = 0;
    std::array<Pointee, 4> pointees{};  // by argument
    // The same for a warp: (the lanes that count, an array an argument …, the results). What it leaves for
    // other lanes is anything. Null: there is none.
    void* of_warp = nullptr;
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

template <class T>
constexpr Pointee pointee() {
    if constexpr (!std::is_pointer_v<T>) {
        return {};
    } else {
        using Element = std::remove_pointer_t<T>;
        if constexpr (std::is_same_v<Element, const char>)
            return {Pointee::Kind::string, 1};
        else
            return {std::is_const_v<Element> ? Pointee::Kind::array : Pointee::Kind::written,
                    static_cast<int>(sizeof(Element))};
    }
}

// Every array stands behind the int that says how many elements it has.
template <class... A>
constexpr bool arrays_are_counted() {
    constexpr std::array<ScalarType, sizeof...(A)> types{scalar_type<A>()...};
    constexpr std::array<Pointee, sizeof...(A)> pointees{pointee<A>()...};
    for (std::size_t i = 0; i < sizeof...(A); ++i)
        if (pointees[i].kind == Pointee::Kind::array && (i == 0 || types[i - 1] != ScalarType::i32))
            return false;
    return true;
}

}  // namespace detail

template <class R, class... A>
ScalarFunction describe(std::string_view name, R (*function)(A...)) {
    static_assert(sizeof...(A) <= 4);
    static_assert(detail::arrays_are_counted<A...>());
    return {name,
            reinterpret_cast<void*>(function),
            detail::scalar_type<R>(),
            {detail::scalar_type<A>()...},
            sizeof...(A),
            {detail::pointee<A>()...}};
}

}  // namespace lockstep::exec

// The fundamental types of PTX.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::ptx {

enum class Type : std::uint8_t {
    none,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    tf32,
    f32,
    f64,
    e4m3x2,
    e5m2x2,
    e4m3,
    e5m2,
    u4,
    s4,
    b1,  // of matrices' elements only
    u16x2,
    s16x2,
    pred,
    f32x2,
    e2m1x2,
    e2m3x2,
    e3m2x2,
    ue8m0x2,  // known to the parser, not executed
    texref,
    samplerref,
    surfref,  // opaque: types of variables only
};

enum class TypeClass : std::uint8_t { none, bits, unsigned_int, signed_int, floating, packed, pred, opaque };

int type_bits(Type type);  // 1 for pred
inline int type_bytes(Type type) { return type == Type::pred ? 1 : type_bits(type) / 8; }
TypeClass type_class(Type type);
inline bool is_float(Type type) { return type_class(type) == TypeClass::floating; }
inline bool is_signed(Type type) { return type_class(type) == TypeClass::signed_int; }
bool is_element_only(Type type);                            // no register or variable has it
std::string_view type_name(Type type);                      // "u32"
std::optional<Type> parse_type(std::string_view spelling);  // without the dot

}  // namespace lockstep::ptx

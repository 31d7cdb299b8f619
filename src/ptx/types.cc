#include "ptx/types.h"

#include <array>

namespace lockstep::ptx {
namespace {

struct TypeInfo {
    Type type;
    std::string_view name;
    int bits;
    TypeClass kind;
};

constexpr std::array type_infos{
    TypeInfo{Type::none, "", 0, TypeClass::none},
    TypeInfo{Type::b8, "b8", 8, TypeClass::bits},
    TypeInfo{Type::b16, "b16", 16, TypeClass::bits},
    TypeInfo{Type::b32, "b32", 32, TypeClass::bits},
    TypeInfo{Type::b64, "b64", 64, TypeClass::bits},
    TypeInfo{Type::b128, "b128", 128, TypeClass::bits},
    TypeInfo{Type::u8, "u8", 8, TypeClass::unsigned_int},
    TypeInfo{Type::u16, "u16", 16, TypeClass::unsigned_int},
    TypeInfo{Type::u32, "u32", 32, TypeClass::unsigned_int},
    TypeInfo{Type::u64, "u64", 64, TypeClass::unsigned_int},
    TypeInfo{Type::s8, "s8", 8, TypeClass::signed_int},
    TypeInfo{Type::s16, "s16", 16, TypeClass::signed_int},
    TypeInfo{Type::s32, "s32", 32, TypeClass::signed_int},
    TypeInfo{Type::s64, "s64", 64, TypeClass::signed_int},
    TypeInfo{Type::f16, "f16", 16, TypeClass::floating},
    TypeInfo{Type::f16x2, "f16x2", 32, TypeClass::packed},
    TypeInfo{Type::bf16, "bf16", 16, TypeClass::floating},
    TypeInfo{Type::bf16x2, "bf16x2", 32, TypeClass::packed},
    TypeInfo{Type::tf32, "tf32", 32, TypeClass::floating},
    TypeInfo{Type::f32, "f32", 32, TypeClass::floating},
    TypeInfo{Type::f64, "f64", 64, TypeClass::floating},
    TypeInfo{Type::e4m3x2, "e4m3x2", 16, TypeClass::packed},
    TypeInfo{Type::e5m2x2, "e5m2x2", 16, TypeClass::packed},
    TypeInfo{Type::e4m3, "e4m3", 8, TypeClass::floating},
    TypeInfo{Type::e5m2, "e5m2", 8, TypeClass::floating},
    TypeInfo{Type::u4, "u4", 4, TypeClass::unsigned_int},
    TypeInfo{Type::s4, "s4", 4, TypeClass::signed_int},
    TypeInfo{Type::b1, "b1", 1, TypeClass::bits},
    TypeInfo{Type::u16x2, "u16x2", 32, TypeClass::packed},
    TypeInfo{Type::s16x2, "s16x2", 32, TypeClass::packed},
    TypeInfo{Type::pred, "pred", 1, TypeClass::pred},
    TypeInfo{Type::f32x2, "f32x2", 64, TypeClass::packed},
    TypeInfo{Type::e2m1x2, "e2m1x2", 8, TypeClass::packed},
    TypeInfo{Type::e2m3x2, "e2m3x2", 16, TypeClass::packed},
    TypeInfo{Type::e3m2x2, "e3m2x2", 16, TypeClass::packed},
    TypeInfo{Type::ue8m0x2, "ue8m0x2", 16, TypeClass::packed},
    TypeInfo{Type::texref, "texref", 64, TypeClass::opaque},
    TypeInfo{Type::samplerref, "samplerref", 64, TypeClass::opaque},
    TypeInfo{Type::surfref, "surfref", 64, TypeClass::opaque},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < type_infos.size(); ++i)
        if (static_cast<std::size_t>(type_infos[i].type) != i) return false;
    return true;
}
static_assert(in_order() && type_infos.size() == static_cast<std::size_t>(Type::surfref) + 1);

const TypeInfo& info(Type type) { return type_infos[static_cast<std::size_t>(type)]; }

}  // namespace

int type_bits(Type type) { return info(type).bits; }
TypeClass type_class(Type type) { return info(type).kind; }
bool is_element_only(Type type) { return type >= Type::e4m3 && type <= Type::b1; }
std::string_view type_name(Type type) { return info(type).name; }

std::optional<Type> parse_type(std::string_view spelling) {
    if (spelling.empty()) return std::nullopt;
    for (const TypeInfo& each : type_infos)
        if (each.name == spelling) return each.type;
    return std::nullopt;
}

}  // namespace lockstep::ptx

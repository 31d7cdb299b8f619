#include "exec/jit/library-calls.h"

#include <fmt/format.h>
#include <llvm/Object/ObjectFile.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "exec/scalar/soft-float.h"

namespace lockstep::exec::jit {
namespace {

// Half-precision numbers are handed on in the lower bits of a vector register, by x86-64's calling convention
// and by arm64's: for the C++ compiler, which may have no such type, in a float's.
float half_to_float(float bits) {
    const auto half = std::bit_cast<std::uint32_t>(bits) & 0xffff;
    return std::bit_cast<float>(
        static_cast<std::uint32_t>(soft::pack<soft::F32>(soft::unpack<soft::F16>(half), soft::Round::rn)));
}

template <class Format>
float half_of(std::uint64_t bits) {
    return std::bit_cast<float>(
        static_cast<std::uint32_t>(soft::pack<soft::F16>(soft::unpack<Format>(bits), soft::Round::rn)));
}
float float_to_half(float value) { return half_of<soft::F32>(std::bit_cast<std::uint32_t>(value)); }
float double_to_half(double value) { return half_of<soft::F64>(std::bit_cast<std::uint64_t>(value)); }

template <double (*f)(double)>
void* of_double() {
    return reinterpret_cast<void*>(f);
}
template <float (*f)(float)>
void* of_float() {
    return reinterpret_cast<void*>(f);
}
// To nearest, ties to even: the mode that nobody here changes.
double round_even(double value) { return std::nearbyint(value); }
float round_even(float value) { return std::nearbyint(value); }

const SymbolAddresses& listed() {
    static const SymbolAddresses list = {
        {"memcpy", reinterpret_cast<void*>(&std::memcpy)},
        {"memmove", reinterpret_cast<void*>(&std::memmove)},
        {"memset", reinterpret_cast<void*>(&std::memset)},
        // x86-64 without FMA
        {"fma", reinterpret_cast<void*>(static_cast<double (*)(double, double, double)>(&std::fma))},
        {"fmaf", reinterpret_cast<void*>(static_cast<float (*)(float, float, float)>(&std::fma))},
        // x86-64 without SSE4.1
        {"floor", of_double<std::floor>()},
        {"floorf", of_float<std::floor>()},
        {"ceil", of_double<std::ceil>()},
        {"ceilf", of_float<std::ceil>()},
        {"trunc", of_double<std::trunc>()},
        {"truncf", of_float<std::trunc>()},
        {"rint", of_double<std::rint>()},
        {"rintf", of_float<std::rint>()},
        {"nearbyint", of_double<std::nearbyint>()},
        {"nearbyintf", of_float<std::nearbyint>()},
        {"roundeven", of_double<round_even>()},
        {"roundevenf", of_float<round_even>()},
        // … and without F16C
        {"__extendhfsf2", reinterpret_cast<void*>(&half_to_float)},
        {"__truncsfhf2", reinterpret_cast<void*>(&float_to_half)},
        {"__truncdfhf2", reinterpret_cast<void*>(&double_to_half)},
    };
    return list;
}

}  // namespace

Result<SymbolAddresses> symbols_for(llvm::MemoryBufferRef object, const SymbolAddresses& own) {
    auto fail = [](llvm::Error error) {
        return Error{fmt::format("internal error: unreadable code: {}", llvm::toString(std::move(error))),
                     {}};
    };
    auto file = llvm::object::ObjectFile::createObjectFile(object);
    if (!file) return fail(file.takeError());
    SymbolAddresses found;
    std::string missing;
    for (const llvm::object::SymbolRef& symbol : (*file)->symbols()) {
        auto flags = symbol.getFlags();
        if (!flags) return fail(flags.takeError());
        if (!(*flags & llvm::object::BasicSymbolRef::SF_Undefined)) continue;
        auto name = symbol.getName();
        if (!name) return fail(name.takeError());
        if (name->empty()) continue;  // a symbol table's first
        if (auto known = own.find(name->str()); known != own.end())
            found.insert(*known);
        else if (auto library = listed().find(name->str()); library != listed().end())
            found.insert(*library);
        else
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", name->str());
    }
    if (!missing.empty())
        return Error{
            fmt::format("internal error: the code for this CPU calls {}, which lockstep does not have",
                        missing),
            {}};
    return found;
}

}  // namespace lockstep::exec::jit

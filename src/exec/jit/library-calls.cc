#include "exec/jit/library-calls.h"

#include <fmt/format.h>
#include <llvm/Object/ObjectFile.h>

#include <cmath>
#include <cstring>

namespace lockstep::exec::jit {
namespace {

const SymbolAddresses& listed() {
    static const SymbolAddresses list = {
        {"memcpy", reinterpret_cast<void*>(&std::memcpy)},
        {"memmove", reinterpret_cast<void*>(&std::memmove)},
        {"memset", reinterpret_cast<void*>(&std::memset)},
        // x86-64 without FMA
        {"fma", reinterpret_cast<void*>(static_cast<double (*)(double, double, double)>(&std::fma))},
        {"fmaf", reinterpret_cast<void*>(static_cast<float (*)(float, float, float)>(&std::fma))},
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

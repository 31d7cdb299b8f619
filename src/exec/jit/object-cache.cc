#include "exec/jit/object-cache.h"

#include <fmt/format.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <type_traits>

#include "base/hash.h"
#include "base/loaded-module.h"
#include "exec/externals.h"
#include "exec/jit/linked-code.h"
#include "kernel/ir.h"

namespace lockstep::exec::jit {
namespace {

constexpr const char* kind = "kernel";

// lockstep's own code, as it is loaded.
std::optional<base::LoadedModule> own_module() {
    return base::loaded_module(reinterpret_cast<const void*>(&own_module));
}

// Nothing but its own bytes is in it, no padding.
template <class T>
constexpr bool is_plain = std::has_unique_object_representations_v<T>;

// Values one after the other, as they lie in memory: whoever reads them is the same build.
class Writer {
  public:
    template <class T>
    void operator()(const T& value) {
        if constexpr (is_plain<T>)
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        else
            fields(*this, value);
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        (*this)(values.size());
        for (const T& value : values) (*this)(value);
    }
    void operator()(const std::string& text) {
        (*this)(text.size());
        bytes += text;
    }
    std::string bytes;
};

// Fails, and says so in `good`, rather than read past the end.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}
    template <class T>
    void operator()(T& value) {
        if constexpr (!is_plain<T>)
            fields(*this, value);
        else if (const char* from = take(sizeof value))
            std::memcpy(&value, from, sizeof value);
    }
    template <class T>
    void operator()(std::vector<T>& values) {
        values.resize(length());
        for (T& value : values) (*this)(value);
    }
    void operator()(std::string& text) {
        const std::size_t size = length();
        if (const char* from = take(size)) text.assign(from, size);
    }
    bool good = true;

  private:
    std::size_t length() {
        std::size_t count = 0;
        (*this)(count);
        if (count <= rest_.size()) return count;
        good = false;
        return 0;
    }
    const char* take(std::size_t size) {
        if (!good || size > rest_.size()) {
            good = false;
            return nullptr;
        }
        const char* from = rest_.data();
        rest_.remove_prefix(size);
        return from;
    }
    std::string_view rest_;
};

template <class T, class Of>
concept Maybe = std::is_same_v<std::remove_const_t<T>, Of>;  // const or not

template <class Archive, Maybe<kernel::Site> Site>
void fields(Archive& archive, Site& site) {
    archive(site.ptx_line);
    archive(site.source);
    archive(site.function);
    archive(site.block);
    archive(site.instruction);
    archive(site.bytes);
    archive(site.kind);
    archive(site.space);
    archive(site.variable_begin);
    archive(site.variable_bytes);
}

// What is kept of Code, for both ways; a new field is one line here. The kernel is derived anew.
template <class Archive, Maybe<Code> AnyCode>
void fields(Archive& archive, AnyCode& code) {
    archive(code.sites);
    archive(code.lanes);
    archive(code.stacks);
    archive(code.state_bytes);
    archive(code.state_header_bytes);
    archive(code.order_matters);
    archive(code.may_wait);
    archive(code.local_bytes);
    archive(code.calls);
    archive(code.frame_bytes);
}

// Functions of lockstep that the code calls, by their distance from the start of the module that holds them:
// the same in every process that has this very build.
using Distances = std::map<std::string, std::uint64_t>;

void write(Writer& writer, const Distances& distances) {
    writer(distances.size());
    for (const auto& [name, distance] : distances) {
        writer(name);
        writer(distance);
    }
}

SymbolAddresses read_addresses(Reader& reader, const base::LoadedModule& own) {
    SymbolAddresses result;
    std::size_t count = 0;
    reader(count);
    for (std::size_t i = 0; i < count && reader.good; ++i) {
        std::string name;
        std::uint64_t distance = 0;
        reader(name);
        reader(distance);
        result[name] = reinterpret_cast<void*>(own.base + distance);
    }
    return result;
}

std::string hash_of(const ObjectKey& key, const llvm::orc::JITTargetMachineBuilder& target) {
    const auto own = own_module();
    const auto llvm_module =
        base::loaded_module(reinterpret_cast<const void*>(&llvm::orc::JITTargetMachineBuilder::detectHost));
    if (key.content.empty() || !own || !llvm_module) return "";
    base::Hash hash;
    hash.add(own->build_id)
        .add(llvm_module->build_id)
        .add(target.getTargetTriple().str())
        .add(target.getCPU())
        .add(target.getFeatures().getString())
        .add(key.content)
        .add(key.variant);
    return hash.hex();
}

// Nothing where there is none, or it is damaged.
std::optional<Object> find(const ObjectKey& key, const std::string& hash) {
    const auto own = own_module();
    const auto bytes = key.cache->read(kind, hash);
    if (!bytes) return {};
    Reader reader(*bytes);
    Object object{std::make_unique<LinkedCode>(), {}, {}};
    fields(reader, *object.code);
    SymbolAddresses known = read_addresses(reader, *own);
    reader(object.file);
    if (!reader.good) return {};
    known.insert(key.tables.begin(), key.tables.end());
    auto symbols = symbols_for(llvm::MemoryBufferRef(object.file, "kernel"), known);
    if (!symbols) return {};
    object.symbols = std::move(*symbols);
    return object;
}

// An error says why the next run will have to compile.
Result<void> store(const ObjectKey& key, const std::string& hash, const Object& object) {
    const auto own = own_module();
    Distances inside;
    SymbolAddresses known = key.tables;
    for (const auto& [name, address] : object.symbols) {
        if (!own->contains(address)) continue;
        inside[name] = reinterpret_cast<std::uintptr_t>(address) - own->base;
        known.emplace(name, address);
    }
    // Whatever else it asks for, the next process must find, too.
    if (auto found = symbols_for(llvm::MemoryBufferRef(object.file, "kernel"), known); !found)
        return found.error();
    Writer writer;
    fields(writer, *object.code);
    write(writer, inside);
    writer(object.file);
    return key.cache->write(kind, hash, writer.bytes);
}

}  // namespace

Result<Object> kept_object(const ObjectKey& key, const llvm::orc::JITTargetMachineBuilder& target,
                           const std::function<Result<Object>()>& compile) {
    const std::string hash = hash_of(key, target);
    if (hash.empty()) return compile();
    if (!std::getenv("LOCKSTEP_DUMP_LLVM") && !std::getenv("LOCKSTEP_DUMP_OPTIMISED"))
        if (auto kept = find(key, hash)) return std::move(*kept);
    auto object = compile();
    if (!object) return object.error();
    if (auto stored = store(key, hash, *object); !stored && key.warnings)
        key.warnings->once("cache", fmt::format("machine code of kernels cannot be kept for the next run: {}",
                                                stored.error().message));
    return object;
}

}  // namespace lockstep::exec::jit

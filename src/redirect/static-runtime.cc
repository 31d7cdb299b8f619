#include "redirect/static-runtime.h"

#include <algorithm>
#include <limits>

namespace lockstep::redirect {
namespace {

// cudaMalloc, __cudaRegisterFunction; not a name of C++, and not cudart's own __cudart….
bool is_api_name(std::string_view name) {
    if (name.starts_with("__")) name.remove_prefix(2);
    return name.size() > 4 && name.starts_with("cuda") && name[4] >= 'A' && name[4] <= 'Z' &&
           name.find('.') == std::string_view::npos;
}

}  // namespace

std::optional<int> static_runtime_version(const std::vector<base::ElfSymbol>& symbols) {
    bool registers = false, allocates = false, properties_2 = false, texture_references = false;
    for (const base::ElfSymbol& symbol : symbols) {
        if (!symbol.function || !symbol.defined) continue;
        registers |= symbol.name == "__cudaRegisterFatBinary";
        allocates |= symbol.name == "cudaMalloc";
        // CUDA 12 gave the structure a new form and the function a new name; CUDA 13 both another form and
        // the old name.
        properties_2 |= symbol.name == "cudaGetDeviceProperties_v2";
        texture_references |= symbol.name == "cudaBindTexture";
    }
    if (!registers || !allocates) return {};
    return properties_2 ? 12 : texture_references ? 11 : 13;
}

std::vector<Entry> entries_of(const std::vector<base::ElfSymbol>& symbols,
                              const std::function<std::uint64_t(std::string_view)>& find) {
    std::vector<Entry> entries;
    std::vector<std::uint64_t> others;  // where other functions begin
    for (const base::ElfSymbol& symbol : symbols) {
        if (!symbol.function || !symbol.defined) continue;
        others.push_back(symbol.value);
        if (is_api_name(symbol.name))
            entries.push_back({symbol.name, symbol.value, symbol.size, find(symbol.name)});
    }
    // A program may have functions with names like the API's. The runtime is one object, so what is its own
    // lies between the functions that everybody knows.
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
    for (const Entry& entry : entries)
        if (entry.target) {
            first = std::min(first, entry.address);
            last = std::max(last, entry.address);
        }
    std::erase_if(entries, [&](const Entry& entry) { return entry.address < first || entry.address > last; });
    // Of several names for one function, one that we have.
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.address != b.address ? a.address<b.address : (a.target != 0)>(b.target != 0);
    });
    entries.erase(std::unique(entries.begin(), entries.end(),
                              [](const Entry& a, const Entry& b) { return a.address == b.address; }),
                  entries.end());
    // Padding behind a function may be used, the next function may not.
    std::sort(others.begin(), others.end());
    for (Entry& entry : entries)
        if (const auto next = std::upper_bound(others.begin(), others.end(), entry.address);
            next != others.end())
            entry.room = *next - entry.address;
    return entries;
}

}  // namespace lockstep::redirect

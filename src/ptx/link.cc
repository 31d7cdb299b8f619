#include "ptx/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/demangle.h"

namespace lockstep::ptx {
namespace {

constexpr std::uint32_t nowhere = ~0u;

// Kernels of one name may be in several files: templates over types that are each file's own. Whoever
// launches one says of which file.
bool is_definition(const Function& function) { return !function.declaration || function.alias_of >= 0; }
bool is_shared_by_name(const Function& function) {
    return !function.entry && (is_public(function.linkage) || !is_definition(function));
}
bool is_definition(const Variable& variable) { return variable.linkage != Linkage::external; }
// Compilers make static variables visible where the host program asks for them; they stay their file's own.
bool is_shared_by_name(const Variable& variable) {
    return !is_definition(variable) ||
           (is_public(variable.linkage) && !base::is_internal_name(variable.name));
}

std::uint64_t bytes_of(const Function& function, const std::vector<std::uint32_t>& list, std::size_t at) {
    return function.variables[list[at]].size();
}

std::optional<std::string> difference(const Function& one, const Function& other) {
    if (one.entry != other.entry) return "a kernel in one file and a function in another";
    const auto differ = [&](auto member) {
        const auto &mine = one.*member, &theirs = other.*member;
        if (mine.size() != theirs.size()) return true;
        for (std::size_t i = 0; i < mine.size(); ++i)
            if (bytes_of(one, mine, i) != bytes_of(other, theirs, i)) return true;
        return false;
    };
    if (differ(&Function::params)) return "declared with other parameters than it is defined with";
    if (differ(&Function::returns)) return "declared with another result than it is defined with";
    return {};
}

std::string_view name_of(Space space) {
    switch (space) {
        case Space::constant: return "__constant__";
        case Space::shared: return "__shared__";
        default: return "__device__";
    }
}

std::optional<std::string> difference(const Variable& one, const Variable& other) {
    if (one.space == other.space) return {};
    return fmt::format("{} in one file and {} in another", name_of(one.space), name_of(other.space));
}

const char* word_for(const Function&) { return "function"; }
const char* word_for(const Variable&) { return "variable"; }
int line_of(const Function& function) { return function.line; }
int line_of(const Variable&) { return 0; }

// Functions, or variables, of all inputs: which definition each name means, and where it lies in the joined
// module.
template <class T>
class Table {
  public:
    Table(std::vector<Module>& modules, std::vector<T> Module::* member)
        : modules_(modules), member_(member) {}

    // Every name that files share finds its definition: a plain one goes before weak ones.
    Result<void> choose() {
        for (std::uint32_t m = 0; m < modules_.size(); ++m)
            for (std::uint32_t i = 0; i < items(m).size(); ++i) {
                const T& item = items(m)[i];
                if (!is_definition(item) || !is_shared_by_name(item)) continue;
                auto [known, fresh] = chosen_.emplace(item.name, Place{m, i});
                if (fresh) continue;
                const T& before = at(known->second);
                const bool plain = item.linkage == Linkage::visible;
                if (plain && before.linkage == Linkage::visible) return error(item, m, "defined twice");
                if (plain || larger_common(item, before)) known->second = {m, i};
            }
        return {};
    }

    // Gives everything that stays a place in `out`, and moves it there.
    Result<void> place(std::vector<T>& out) {
        places_.resize(modules_.size());
        for (std::uint32_t m = 0; m < modules_.size(); ++m) {
            places_[m].assign(items(m).size(), nowhere);
            for (std::uint32_t i = 0; i < items(m).size(); ++i) {
                T& item = items(m)[i];
                if (!is_definition(item) || aliased(item) || !is_own({m, i})) continue;
                places_[m][i] = static_cast<std::uint32_t>(out.size());
                out.push_back(std::move(item));
                item.name = out.back().name;  // by which others find it
                owners_.push_back(m);
                if (is_kernel(item)) kernels_.emplace(item.name, places_[m][i]);
            }
        }
        std::map<std::string, std::uint32_t> declared;
        for (std::uint32_t m = 0; m < modules_.size(); ++m)
            for (std::uint32_t i = 0; i < items(m).size(); ++i) {
                if (places_[m][i] != nowhere) continue;
                const T& item = items(m)[i];
                std::uint32_t& place = places_[m][i];
                place = definition_of({m, i});
                if (place == nowhere) {
                    const auto known =
                        declared.emplace(item.name, static_cast<std::uint32_t>(out.size())).first;
                    place = known->second;
                    if (place == out.size()) {
                        out.push_back(item);
                        unlink_alias(out.back());
                        owners_.push_back(m);
                    }
                }
                if (!aliased(item))
                    if (const auto wrong = difference(item, out[place])) return error(item, m, *wrong);
                join(out[place], item);
            }
        return {};
    }

    std::uint32_t place_of(std::uint32_t module, std::uint32_t item) const { return places_[module][item]; }
    const std::vector<std::uint32_t>& places(std::size_t module) const { return places_[module]; }
    // The input that an item of the joined module was taken from: what it refers to is that input's.
    std::uint32_t owner(std::size_t place) const { return owners_[place]; }

  private:
    struct Place {
        std::uint32_t module = 0, item = 0;
        bool operator==(const Place&) const = default;
    };

    std::vector<T>& items(std::uint32_t module) { return modules_[module].*member_; }
    T& at(Place place) { return items(place.module)[place.item]; }

    Error error(const T& item, std::uint32_t module, const std::string& what) {
        return Error{fmt::format("{} {} is {}", word_for(item), base::demangle(item.name), what),
                     {modules_[module].name, line_of(item), 0}};
    }

    static bool larger_common(const Function&, const Function&) { return false; }
    static bool larger_common(const Variable& one, const Variable& other) {
        return one.linkage == Linkage::common && other.linkage == Linkage::common &&
               one.size() > other.size();
    }
    static bool is_kernel(const Function& function) { return function.entry; }
    static bool is_kernel(const Variable&) { return false; }
    static bool aliased(const Function& function) { return function.alias_of >= 0; }
    static bool aliased(const Variable&) { return false; }
    static void unlink_alias(Function& function) { function.alias_of = -1; }
    static void unlink_alias(Variable&) {}
    static std::uint32_t real(const Function& function) {
        return static_cast<std::uint32_t>(function.alias_of);
    }
    static std::uint32_t real(const Variable&) { return 0; }
    static void join(Function&, const Function&) {}
    // Files may want different things of the one dynamic shared memory.
    static void join(Variable& all, const Variable& one) {
        all.alignment = std::max(all.align(), one.align());
    }

    // Whether nothing of another file stands for it.
    bool is_own(Place place) {
        if (!is_shared_by_name(at(place))) return true;
        const auto found = chosen_.find(at(place).name);
        return found == chosen_.end() || found->second == place;
    }

    // Where the definition of something that has no place of its own lies.
    std::uint32_t definition_of(Place place) {
        // An alias of an alias is possible, a circle of them hostile.
        for (std::size_t steps = 0; steps <= items(place.module).size(); ++steps) {
            if (is_shared_by_name(at(place)))
                if (const auto found = chosen_.find(at(place).name); found != chosen_.end())
                    place = found->second;
            if (!aliased(at(place))) {
                if (is_definition(at(place))) return places_[place.module][place.item];
                const auto kernel = kernels_.find(at(place).name);
                return kernel == kernels_.end() ? nowhere : kernel->second;
            }
            place.item = real(at(place));
        }
        return nowhere;
    }

    std::vector<Module>& modules_;
    std::vector<T> Module::* member_;
    std::map<std::string, Place> chosen_;
    std::map<std::string, std::uint32_t> kernels_;
    std::vector<std::vector<std::uint32_t>> places_;
    std::vector<std::uint32_t> owners_;
};

// A block's shared memory is laid out by name. Functions, blocks of statements and other inputs may use the
// same name for variables of their own: all but the first get another one, which no PTX can contain.
void name_shared_apart(Module& module) {
    std::set<std::string> taken;
    auto name_apart = [&](std::vector<Variable>& variables) {
        for (Variable& variable : variables) {
            if (variable.space != Space::shared) continue;
            const std::string name = variable.name;
            for (int n = 2; !taken.insert(variable.name).second; ++n)
                variable.name = fmt::format("{}.{}", name, n);
        }
    };
    name_apart(module.variables);
    for (Function& function : module.functions) name_apart(function.variables);
}

class Linker {
  public:
    explicit Linker(std::vector<Module> modules) : modules_(std::move(modules)) {}

    Result<Linked> link() {
        join_heads();
        join_lines();
        for (auto step : {functions_.choose(), variables_.choose()})
            if (!step) return step.error();
        if (auto placed = functions_.place(out_.module.functions); !placed) return placed.error();
        if (auto placed = variables_.place(out_.module.variables); !placed) return placed.error();
        for (std::size_t m = 0; m < modules_.size(); ++m) {
            auto& functions = out_.functions.emplace_back();
            auto& variables = out_.variables.emplace_back();
            for (std::size_t i = 0; i < modules_[m].functions.size(); ++i)
                functions.emplace(modules_[m].functions[i].name, functions_.places(m)[i]);
            for (std::size_t i = 0; i < modules_[m].variables.size(); ++i)
                variables.emplace(modules_[m].variables[i].name, variables_.places(m)[i]);
        }
        for (std::size_t f = 0; f < out_.module.functions.size(); ++f)
            for (Instruction& inst : out_.module.functions[f].instructions) {
                if (inst.source >= 0) inst.source += first_line_[functions_.owner(f)];
                for (Operand& operand : inst.operands) refer(operand, functions_.owner(f));
            }
        for (std::size_t v = 0; v < out_.module.variables.size(); ++v)
            for (InitElement& element : out_.module.variables[v].init) {
                if (element.kind == InitElement::Kind::function)
                    element.id = functions_.place_of(variables_.owner(v), element.id);
                if (element.kind == InitElement::Kind::variable)
                    element.id = variables_.place_of(variables_.owner(v), element.id);
            }
        name_shared_apart(out_.module);
        return std::move(out_);
    }

  private:
    void join_heads() {
        if (modules_.empty()) return;
        Module& all = out_.module;
        const Module& first = modules_[0];
        all.name = first.name;
        all.target = first.target;
        all.target_options = first.target_options;
        all.address_size = first.address_size;
        for (const Module& module : modules_)
            if (std::pair(module.version_major, module.version_minor) >
                std::pair(all.version_major, all.version_minor)) {
                all.version_major = module.version_major;
                all.version_minor = module.version_minor;
            }
    }

    void join_lines() {
        Module& all = out_.module;
        all.files.push_back("");
        for (const Module& module : modules_) {
            const int first_file = static_cast<int>(all.files.size()) - 1;
            first_line_.push_back(static_cast<int>(all.lines.size()));
            if (!module.files.empty())
                all.files.insert(all.files.end(), module.files.begin() + 1, module.files.end());
            for (SourceLine line : module.lines) {
                if (line.file > 0) line.file += first_file;
                if (line.inlined_at >= 0) line.inlined_at += first_line_.back();
                all.lines.push_back(std::move(line));
            }
        }
    }

    void refer(Operand& operand, std::uint32_t module) const {
        if (operand.kind == Operand::Kind::function) operand.id = functions_.place_of(module, operand.id);
        if (operand.kind == Operand::Kind::variable && !operand.local)
            operand.id = variables_.place_of(module, operand.id);
        for (Operand& element : operand.elements) refer(element, module);
    }

    std::vector<Module> modules_;
    Linked out_;
    Table<Function> functions_{modules_, &Module::functions};
    Table<Variable> variables_{modules_, &Module::variables};
    std::vector<int> first_line_;
};

}  // namespace

bool is_public(Linkage linkage) {
    return linkage == Linkage::visible || linkage == Linkage::weak || linkage == Linkage::common;
}

void name_apart(Module& module) {
    std::set<std::string> taken, used;
    for (const Variable& variable : module.variables) taken.insert(variable.name);
    for (const Function& function : module.functions) {
        taken.insert(function.name);
        for (const Variable& variable : function.variables) taken.insert(variable.name);
    }
    const auto rename = [&](std::string& name) {
        std::string base = name;
        std::ranges::replace(base, '.', '$');
        int n = 2;
        do name = fmt::format("{}${}", base, n++);
        while (!taken.insert(name).second);
    };
    for (const bool is_static : {false, true}) {
        const auto settle = [&](auto& items) {
            for (auto& item : items)
                if (is_public(item.linkage) != is_static && !used.insert(item.name).second) rename(item.name);
        };
        settle(module.functions);
        settle(module.variables);
    }
    const auto no_text = [](const Variable& variable) {
        return variable.name.find('.') != std::string::npos;
    };
    for (Variable& variable : module.variables)
        if (no_text(variable)) rename(variable.name);
    for (Function& function : module.functions)
        for (Variable& variable : function.variables)
            if (no_text(variable)) rename(variable.name);
}

Result<Linked> link(std::vector<Module> modules) { return Linker(std::move(modules)).link(); }

}  // namespace lockstep::ptx

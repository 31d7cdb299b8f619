// The names that are visible at a point of a function body. Scopes nest and shadow; a lookup costs the same
// however deep they are.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/ast.h"

namespace lockstep::ptx {

struct Symbol {
    enum class Kind : std::uint8_t {
        reg,              // id: Function::registers
        vector_reg,       // `width` registers x y z w: ask find_part() for each
        variable,         // id: Function::variables
        module_variable,  // id: Module::variables (.global and .const inside a function)
    } kind = Kind::reg;
    std::uint32_t id = 0;
    std::uint32_t width = 1;
};

// Registers enter Function::registers at their first use, so a declaration of a billion costs nothing and the
// order of the table does not depend on how they were declared.
class NameTable {
  public:
    explicit NameTable(std::vector<Register>& registers) : registers_(registers) {}

    void open_scope() { ++depth_; }
    void close_scope();
    int depth() const { return depth_; }

    // False: the innermost scope has that name already.
    bool declare(std::string_view name, Symbol symbol);
    bool declare_register(std::string_view name, Type type, std::uint32_t width);
    bool declare_registers(std::string_view prefix, std::uint32_t count, Type type);  // %r<17>

    std::optional<Symbol> find(std::string_view name);
    std::uint32_t find_part(std::string_view vector_name, std::uint32_t part);  // of a name that find() knows

  private:
    struct Binding {
        int depth = 0;
        Symbol symbol;
        Type type = Type::none;                                 // of registers
        std::array<std::optional<std::uint32_t>, 4> registers;  // those that have been used
    };
    struct Family {
        int depth = 0;
        std::uint32_t count = 0;
        Type type = Type::none;
        std::unordered_map<std::uint32_t, std::uint32_t> used;  // number -> register
    };

    std::uint32_t add_register(std::string name, Type type);
    Family* find_family(std::string_view name, std::uint32_t& number);

    std::vector<Register>& registers_;
    std::unordered_map<std::string_view, std::vector<Binding>> names_;
    std::unordered_map<std::string_view, std::vector<Family>> families_;
    std::vector<std::pair<int, std::string_view>> declared_names_,
        declared_families_;  // depth and name, to undo
    int depth_ = 0;
};

// Gives every name once: "x", then "x$1", "x$2" …
class UniqueNames {
  public:
    void reserve(std::string_view name) { used_.emplace(name); }
    std::string take(std::string name);

  private:
    std::unordered_set<std::string> used_;
    std::unordered_map<std::string, std::uint32_t> next_;
};

}  // namespace lockstep::ptx

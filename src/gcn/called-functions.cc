#include "gcn/called-functions.h"

#include <algorithm>
#include <string_view>

namespace lockstep::gcn {
namespace {

bool jumps_by_register(const Instruction& instruction) {
    return instruction.name == "s_swappc_b64" || instruction.name == "s_setpc_b64";
}

class Reached {
  public:
    explicit Reached(const Module& module) : module_(module), reached_(module.functions.size(), false) {
        for (std::uint32_t i = 0; i < module.functions.size(); ++i) numbers_[module.functions[i].name] = i;
    }

    void from(const Code& code) {
        bool by_register = false;
        for (const Instruction& instruction : code.instructions) {
            by_register |= jumps_by_register(instruction);
            for (const Operand& operand : instruction.operands)
                if (operand.kind == Operand::Kind::symbol) reach(operand.name);
        }
        if (!by_register || variables_) return;
        // The address may come from a variable: tables of virtual functions are some.
        variables_ = true;
        for (const Variable& variable : module_.variables)
            for (const Relocation& relocation : variable.relocations) reach(relocation.symbol);
    }
    const std::vector<std::uint32_t>& functions() const { return order_; }

  private:
    void reach(std::string_view name) {
        const auto found = numbers_.find(name);
        if (found == numbers_.end() || reached_[found->second]) return;
        reached_[found->second] = true;
        order_.push_back(found->second);
    }

    const Module& module_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::vector<bool> reached_;
    std::vector<std::uint32_t> order_;
    bool variables_ = false;
};

}  // namespace

void take_in_functions(Module& module) {
    for (Kernel& kernel : module.kernels) {
        Code& all = kernel.code;
        Reached reached(module);
        reached.from(all);
        for (std::size_t i = 0; i < reached.functions().size(); ++i)
            reached.from(module.functions[reached.functions()[i]]);
        all.parts = {{0, 0}};
        for (const std::uint32_t number : reached.functions()) {
            const Code& function = module.functions[number];
            const auto first = static_cast<std::uint32_t>(all.instructions.size());
            all.parts.push_back({number + 1, first});
            all.instructions.insert(all.instructions.end(), function.instructions.begin(),
                                    function.instructions.end());
            for (const auto& [name, at] : function.labels) all.labels[name] = first + at;
        }
        all.jumps_by_register = std::ranges::any_of(all.instructions, jumps_by_register);
    }
}

}  // namespace lockstep::gcn

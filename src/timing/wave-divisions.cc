#include "timing/wave-divisions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "gcn/segments.h"

namespace lockstep::timing {
namespace {

// A division is a reciprocal (of the divisor as a float, made better by one step), its product with the
// dividend, and two corrections. The reciprocal may stand before a loop, the rest in it.
class Divisions {
  public:
    explicit Divisions(const gcn::Code& code) : code_(code.instructions), found_(code_.size()) {
        for (const auto& segment : gcn::segments_of(code))
            parts_.push_back({segment.first, segment.first + segment.count});
    }

    std::vector<bool> find() {
        for (const Part& part : parts_)
            for (std::uint32_t i = part.begin; i < part.end; ++i)
                if (code_[i].name.starts_with("v_rcp_iflag")) find_reciprocal(part, i);
        for (const Part& part : parts_)
            for (std::uint32_t i = part.begin; i < part.end; ++i)
                if (!found_[i] && code_[i].name == "v_mul_hi_u32" && uses_reciprocal(code_[i])) take(part, i);
        return std::move(found_);
    }

  private:
    struct Part {
        std::uint32_t begin = 0, end = 0;
    };

    static bool same(const gcn::Operand& a, const gcn::Operand& b) {
        return a.is_register() && a.kind == b.kind && a.first == b.first;
    }

    void find_reciprocal(const Part& part, std::uint32_t rcp) {
        found_[rcp] = true;
        for (std::uint32_t i = rcp; i-- > part.begin;)
            if (code_[i].name.starts_with("v_cvt_f32_")) {
                found_[i] = true;
                break;
            }
        static constexpr std::array<std::string_view, 5> steps = {"mul_f32", "cvt_u32_f32", "mul_", "mul_hi",
                                                                  "add_"};
        std::size_t step = 0;
        for (std::uint32_t i = rcp + 1; i < part.end && step < steps.size(); ++i) {
            if (!std::string_view(code_[i].name).substr(2).starts_with(steps[step])) continue;
            found_[i] = code_[i].name.starts_with("v_");
            if (++step == steps.size() && !code_[i].operands.empty())
                reciprocals_.push_back(code_[i].operands.front());
        }
    }

    bool uses_reciprocal(const gcn::Instruction& product) const {
        return std::any_of(
            product.operands.begin() + 1, product.operands.end(), [&](const gcn::Operand& one) {
                return std::ranges::any_of(reciprocals_, [&](const gcn::Operand& r) { return same(r, one); });
            });
    }

    // From the product to the last correction.
    void take(const Part& part, std::uint32_t product) {
        constexpr int corrections = 3;  // selects of a quotient; a remainder has two
        constexpr int longest = 16;
        int selects = 0, taken = 0;
        for (std::uint32_t i = product; i < part.end && selects < corrections && taken < longest; ++i) {
            if (found_[i] || gcn::unit_of(code_[i]) != gcn::Unit::valu) continue;
            found_[i] = true;
            ++taken;
            selects += code_[i].name.starts_with("v_cndmask");
        }
    }

    const std::vector<gcn::Instruction>& code_;
    std::vector<Part> parts_;
    std::vector<gcn::Operand> reciprocals_;  // registers that hold one
    std::vector<bool> found_;
};

}  // namespace

std::vector<bool> divisions_in(const gcn::Code& code) { return Divisions(code).find(); }

}  // namespace lockstep::timing

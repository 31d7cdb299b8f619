#include "check/arithmetic.h"

#include <fmt/format.h>

#include <bit>

#include "events/records.h"

namespace lockstep::check {

using events::ArithmeticRecord;

Finding Arithmetic::finding(std::uint32_t kind, const At& at, const std::string& who) const {
    const kernel::NumberedBlock& block = code_.kernel->blocks[at.block];
    const kernel::Function& function = code_.kernel->functions[block.function];
    const ptx::Instruction& inst = function.blocks[block.block].instructions[at.instruction];
    Finding finding{.kind_of = Class::undefined, .kernel = code_.name};
    const char* role = "here";
    switch (kind) {
        case ArithmeticRecord::division_by_zero: {
            const bool remainder = inst.opcode == ptx::Opcode::rem;
            finding.kind = "division-by-zero";
            finding.message = fmt::format(
                "an integer is divided by zero: a GPU does not stop there, and the {} has all bits set",
                remainder ? "remainder" : "quotient");
            finding.advice = "test the divisor before";
            role = remainder ? "remainder" : "division";
            break;
        }
        case ArithmeticRecord::wide_shift:
            finding.kind = "wide-shift";
            finding.message = fmt::format(
                "a number of {} bits is shifted by {} or more, or by less than 0, which C++ leaves undefined",
                ptx::type_bits(inst.type()), ptx::type_bits(inst.type()));
            finding.advice = "take a wider type, or test the amount before";
            role = "shift";
            break;
        case ArithmeticRecord::index_overflow:
            finding.kind = "index-overflow";
            finding.message =
                "an index in an int overflows, which C++ leaves undefined, and becomes part of an address";
            finding.advice = "compute it in size_t or long long: convert the first factor";
            role = "overflow";
            break;
        case ArithmeticRecord::index:
            finding.kind_of = Class::memory;
            finding.kind = "out-of-bounds-index";
            finding.message =
                "an index is beyond the end of its array, and leads to what lies behind it in the same "
                "object";
            finding.advice = "check the index against the array's own size";
            role = "index";
            break;
        case ArithmeticRecord::overflow:
            finding.kind = "signed-overflow";
            finding.rank = Rank::warning;
            finding.message = "a signed number overflows, which C++ leaves undefined";
            finding.advice = "take a wider type, or an unsigned one where it is to wrap";
            role = "overflow";
            break;
        case ArithmeticRecord::equality:
            finding.kind = "float-equality";
            finding.rank = Rank::note;
            finding.message =
                "floating-point numbers are compared for equality that differ by no more than rounding may "
                "make of them";
            finding.advice = "compare their difference with a tolerance";
            role = "comparison";
            break;
        default:
            finding.kind = "nan";
            finding.rank = Rank::warning;
            finding.message = "a NaN is made of numbers";
            finding.advice =
                "see which operand is out of range here: a zero, an infinity or a negative number";
            role = "NaN";
    }
    const int source = KernelCode::source_near(function, block.block, at.instruction, inst.source);
    finding.places = {code_.place_of(function, source, role, who)};
    return finding;
}

void Arithmetic::add(std::uint32_t kind, const At& at, Lanes lanes, const std::function<std::string()>& who) {
    const auto times = static_cast<std::uint64_t>(std::popcount(lanes));
    const auto known = told_.find({kind, at});
    if (known != told_.end()) {
        known->second.more += times;
        return;
    }
    Finding made = finding(kind, at, who());
    made.count = times;
    told_[{kind, at}] = {made, 0};
    findings_.add(std::move(made));
}

void Arithmetic::finish() {
    for (auto& [_, told] : told_) {
        if (!told.more) continue;
        told.finding.count = told.more;
        findings_.add(std::move(told.finding));
    }
    told_.clear();
}

}  // namespace lockstep::check

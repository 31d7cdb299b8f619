#include "fuzz/kernel-generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <vector>

#include "ptx/table.h"

namespace lockstep::fuzz {
namespace {

using ptx::Family;
using ptx::Modifier;
using ptx::Opcode;
using ptx::OperandSpec;
using ptx::Row;
using ptx::Type;

// Output: a thread's own words, a region for each size, two of them; then cells that all threads add to, one
// for each operation and type; then the registers' last values.
constexpr std::array<std::size_t, 6> widths = {1, 2, 4, 8, 16, 32};
constexpr std::size_t region(std::size_t width) { return most_threads * 2 * (width - 1); }
constexpr std::size_t cells = most_threads * 2 * 63;
constexpr std::size_t last_values = cells + 512;
constexpr int half_count = 4, word_count = 8, long_count = 4, predicate_count = 6;
static_assert(last_values +
                  most_threads * (4 * (half_count + word_count + predicate_count) + 8 * long_count) <=
              output_bytes);

// Sizes of a thread's shared and local memory, of constants and of a variable.
constexpr int shared_own = 32, local_bytes = 64, constant_bytes = 64, variable_bytes = 256;

struct Function {
    std::string name;
    int words = 0;  // parameters of 32 bits; one of 64 bits follows
    bool calls_itself = false;
};

class Generator {
  public:
    explicit Generator(Choices& choices) : choices_(choices) {}
    GeneratedKernel run();

  private:
    void line(const std::string& text) { body_ += text + "\n"; }
    void end();
    void statement(bool in_function);
    void table_instruction();
    void branch();
    void loop();
    void table_branch();
    void call();
    void library_call();
    void special();
    void index();
    void generic_address();
    void barrier();
    std::string function(std::size_t number);

    bool suits(const Row& row) const;
    std::string words(const Row& row);
    std::optional<std::string> operand(const Row& row, const OperandSpec& spec);
    std::string value(const OperandSpec& spec, Type type);
    std::string address(const Row& row, const OperandSpec& spec);
    std::string own_address(std::size_t bytes);
    std::string immediate(Type type);
    std::string reg(int bits, Type type);
    std::string predicate() { return fmt::format("%p{}", choices_.below(predicate_count)); }
    std::string word() { return fmt::format("%r{}", choices_.below(word_count)); }
    std::string guard() {
        if (!choices_.one_in(5)) return "";
        return fmt::format("@{}%p{} ", choices_.one_in(2) ? "!" : "", choices_.below(predicate_count));
    }
    bool has(Modifier modifier) const { return std::ranges::find(modifiers_, modifier) != modifiers_.end(); }
    std::size_t access_bytes() const;

    Choices& choices_;
    Company company_ = Company::alone;
    std::string body_;
    std::vector<Function> functions_;
    bool in_function_ = false;
    int labels_ = 0;                   // that branches have named
    int placed_ = 0;                   // of them, those that stand in the text
    int inner_ = 0;                    // scopes and loops, for names
    std::vector<Modifier> modifiers_;  // of the instruction in hand
    std::vector<Type> types_;
};

std::size_t Generator::access_bytes() const {
    std::size_t bytes = types_.empty() ? 4 : static_cast<std::size_t>(ptx::type_bytes(types_[0]));
    if (has(Modifier::v2)) bytes *= 2;
    if (has(Modifier::v4)) bytes *= 4;
    if (has(Modifier::v8)) bytes *= 8;
    return bytes;
}

// ---- instructions of the table

bool Generator::suits(const Row& row) const {
    if (!row.implemented || row.any_words) return false;
    if (row.family == Family::control) return false;
    if (row.family == Family::matrix) return false;  // needs whole warps, and many registers
    // Copies that a barrier is told of, and tensors.
    if (row.syntax.find(".bulk") != row.syntax.npos || row.syntax.find("[bar]") != row.syntax.npos)
        return false;
    if (company_ == Company::wild) return true;
    switch (row.opcode) {
        // Addresses are not the same in every run, and what is discarded is anything.
        case Opcode::cvta:
        case Opcode::isspacep:
        case Opcode::discard:
        case Opcode::createpolicy:
        case Opcode::trap:
        case Opcode::brkpt:
        case Opcode::nanosleep: return false;
        default: break;
    }
    // A barrier in memory is what mbarrier.init has made.
    if (row.opcode == Opcode::cp && row.syntax.find("mbarrier") != row.syntax.npos) return false;
    if (company_ == Company::grouped) return row.family != Family::barrier;
    return row.family != Family::barrier && row.family != Family::warp;
}

std::string Generator::words(const Row& row) {
    modifiers_.clear(), types_.clear();
    std::string text(ptx::opcode_name(row.opcode));
    for (const ptx::Slot& slot : row.slots) {
        if (slot.optional && !choices_.one_in(3)) continue;
        std::size_t n = choices_.below(slot.modifiers.size() + slot.types.size());
        if (n < slot.modifiers.size()) {
            modifiers_.push_back(slot.modifiers[n]);
            (text += '.') += ptx::modifier_name(slot.modifiers[n]);
        } else {
            types_.push_back(slot.types[n - slot.modifiers.size()]);
            (text += '.') += ptx::type_name(types_.back());
        }
    }
    return text;
}

std::string Generator::immediate(Type type) {
    static constexpr std::uint64_t numbers[] = {0,  1,  2,  3,  7,  8,   15,  16, 31,
                                                32, 33, 63, 64, 65, 127, 128, 255};
    if (type == Type::f32) {
        static constexpr std::uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbf000000,
                                                   0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                                                   0x7f7fffff, 0x4f000000};
        std::uint32_t bits =
            choices_.one_in(3) ? static_cast<std::uint32_t>(choices_.number(4)) : choices_.of(floats);
        return fmt::format("0f{:08X}", bits);
    }
    if (type == Type::f64) return fmt::format("0d{:016X}", choices_.number(2) << 48 | choices_.number(1));
    const int bits = std::max(ptx::type_bits(type), 8);
    std::uint64_t number = choices_.one_in(3) ? choices_.number(bits / 8) : choices_.of(numbers);
    if (choices_.one_in(4)) number = ~number;
    number &= bits == 64 ? ~0ull : (1ull << bits) - 1;
    return fmt::format("{}", static_cast<std::int64_t>(number));
}

std::string Generator::reg(int bits, Type type) {
    switch (bits) {
        case 1: return predicate();
        case 16: return fmt::format("%h{}", choices_.below(half_count));
        case 32:
            // Some have a type of their own, which not every instruction takes.
            if (ptx::is_float(type) && choices_.one_in(4)) return fmt::format("%f{}", choices_.below(2));
            return word();
        case 64:
            if (type == Type::f64 && choices_.one_in(4)) return fmt::format("%e{}", choices_.below(2));
            return fmt::format("%d{}", choices_.below(long_count));
        default: return word();
    }
}

std::string Generator::value(const OperandSpec& spec, Type type) {
    if (spec.constant) {
        switch (choices_.below(4)) {
            case 0: return "4";
            case 1: return "8";
            case 2: return "16";
            default: return fmt::format("{}", choices_.byte());
        }
    }
    int bits = ptx::type_bits(type) * (spec.twice_as_wide ? 2 : 1);
    if (spec.unchecked) bits = 32;
    if (spec.wider_register && (bits < 16 || choices_.one_in(8))) bits = std::max(bits * 2, 16);
    const ptx::TypeClass kind = ptx::type_class(type);
    const bool literal = kind == ptx::TypeClass::bits || kind == ptx::TypeClass::unsigned_int ||
                         kind == ptx::TypeClass::signed_int || type == Type::f32 || type == Type::f64;
    if (!spec.written && literal && !spec.may_minus && spec.selector == OperandSpec::Selector::none &&
        choices_.one_in(5))
        return immediate(type);
    std::string text = reg(bits, type);
    if ((spec.may_negate || (type == Type::pred && !spec.written)) && choices_.one_in(4)) text = "!" + text;
    if (spec.may_minus && choices_.one_in(4)) text = "-" + text;
    if (spec.selector == OperandSpec::Selector::part && choices_.one_in(2)) {
        static constexpr const char* parts[] = {".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
        text += choices_.of(parts);
    } else if (spec.selector == OperandSpec::Selector::lanes && choices_.one_in(2)) {
        static constexpr const char* lanes[] = {".h10",   ".h32",   ".h01", ".b3210",
                                                ".b7654", ".b0246", ".h1",  ".b20"};
        text += choices_.of(lanes);
    }
    return text;
}

std::string Generator::own_address(std::size_t bytes) {
    if (std::ranges::find(widths, bytes) == widths.end()) bytes = 4;
    const std::size_t plane = choices_.below(2);
    if (plane == 0) return fmt::format("[%a{}]", bytes);
    return fmt::format("[%a{}+{}]", bytes, most_threads * bytes);
}

std::string Generator::address(const Row& row, const OperandSpec& spec) {
    std::size_t bytes = access_bytes();
    const bool cp = row.opcode == Opcode::cp;
    const bool writes = row.opcode == Opcode::st || row.family == Family::atomic;
    if (company_ == Company::wild && choices_.one_in(6)) {
        std::size_t off = choices_.number(2);
        if (choices_.one_in(2)) return fmt::format("[%d{}+{}]", choices_.below(long_count), off);
        return fmt::format("[{}]", word());
    }
    auto offset = [&](std::size_t room) {  // aligned, mostly
        std::size_t at = bytes > room ? 0 : choices_.below((room - bytes) / bytes + 1) * bytes;
        if (company_ == Company::wild && choices_.one_in(12)) at += choices_.byte();
        return at;
    };
    if (cp) bytes = 16;
    if (has(Modifier::shared) || has(Modifier::shared_cta) || has(Modifier::shared_cluster)) {
        if (!cp || spec.name == "e") {
            if (company_ != Company::alone && !writes && choices_.one_in(3))
                return fmt::format("[sh+{}]", offset(1024));  // another thread's
            return fmt::format("[%s+{}]", offset(shared_own));
        }
    }
    if (has(Modifier::local)) {
        if (choices_.one_in(2)) return fmt::format("[loc+{}]", offset(local_bytes));
        return fmt::format("[%l+{}]", offset(16));
    }
    if (has(Modifier::const_)) return fmt::format("[cst+{}]", offset(constant_bytes));
    if (has(Modifier::param) || has(Modifier::param_entry) || has(Modifier::param_func)) {
        if (in_function_) return fmt::format("[a0+{}]", offset(4));
        return fmt::format("[blob+{}]", offset(32));
    }
    if (row.opcode == Opcode::red && choices_.one_in(2)) {
        // Operations on one cell commute only with themselves.
        static constexpr Modifier kinds[] = {Modifier::and_, Modifier::or_, Modifier::xor_,
                                             Modifier::add,  Modifier::min, Modifier::max};
        static constexpr Type kinds_of[] = {Type::b32, Type::b64, Type::u32, Type::s32, Type::u64, Type::s64};
        auto type = std::ranges::find(kinds_of, types_[0]);
        for (std::size_t i = 0; i < std::size(kinds) && type != std::end(kinds_of); ++i)
            if (has(kinds[i]))
                return fmt::format(
                    "[%c+{}]",
                    (i * std::size(kinds_of) + static_cast<std::size_t>(type - std::begin(kinds_of))) * 8);
    }
    const bool generic = !has(Modifier::global) && !cp;
    if (generic && choices_.one_in(4)) return fmt::format("[%y{}+{}]", choices_.below(2), offset(16));
    if (writes || choices_.one_in(3)) return own_address(bytes);
    switch (choices_.below(4)) {
        case 0: return fmt::format("[%in+{}]", offset(256));
        case 1: return fmt::format("[glob+{}]", offset(variable_bytes));
        default: return fmt::format("[%x{}+{}]", choices_.below(2), offset(256));
    }
}

std::optional<std::string> Generator::operand(const Row& row, const OperandSpec& spec) {
    if (spec.shape == OperandSpec::Shape::address) return address(row, spec);
    if (spec.shape != OperandSpec::Shape::value && spec.shape != OperandSpec::Shape::pack)
        return std::nullopt;
    Type type = spec.type;
    if (type == Type::none) {
        if (spec.type_index >= types_.size()) {
            if (!spec.constant && !spec.unchecked) return std::nullopt;
            type = Type::u32;
        } else {
            type = types_[spec.type_index];
        }
    }
    if (spec.shape == OperandSpec::Shape::pack) {
        const int parts = ptx::type_bits(type) >= 32 && choices_.one_in(3) ? 4 : 2;
        const int bits = ptx::type_bits(type) / parts;
        std::string text = "{";
        for (int i = 0; i < parts; ++i) {
            if (i) text += ", ";
            if (spec.written && choices_.one_in(5))
                text += "_";
            else
                text += bits == 8 ? fmt::format("%b{}", choices_.below(2)) : reg(bits, Type::none);
        }
        return text + "}";
    }
    int width = has(Modifier::v2) ? 2 : has(Modifier::v4) ? 4 : has(Modifier::v8) ? 8 : 0;
    if (width && row.has_vector && spec.type == Type::none && !spec.constant) {
        std::string text = "{";
        for (int i = 0; i < width; ++i) {
            if (i) text += ", ";
            text += spec.written && choices_.one_in(6) ? "_" : value(spec, type);
        }
        return text + "}";
    }
    std::string text = value(spec, type);
    if (spec.pair && (!spec.half_pair || choices_.one_in(2))) text += "|" + predicate();
    return text;
}

void Generator::table_instruction() {
    static const std::vector<const Row*> all = [] {
        std::vector<const Row*> list;
        for (const Row& row : ptx::rows()) list.push_back(&row);
        return list;
    }();
    const Row* row = choices_.of(all);
    for (std::size_t i = 0; i < all.size() && !suits(*row); ++i)
        row = all[(static_cast<std::size_t>(std::ranges::find(all, row) - all.begin()) + 1) % all.size()];
    std::string text = guard() + words(*row);
    bool first = true;
    for (const OperandSpec& spec : row->specs) {
        if (spec.optional && !choices_.one_in(4)) continue;
        auto one = operand(*row, spec);
        if (!one) return;
        text += (first ? " " : ", ") + *one;
        first = false;
    }
    line(text + ";");
}

// ---- everything else

void Generator::special() {
    static constexpr const char* of_group[] = {"%laneid", "%lanemask_eq", "%lanemask_lt", "%lanemask_ge",
                                               "WARP_SZ", "%nwarpid",     "%warpid"};
    static constexpr const char* of_all[] = {"%tid.x",
                                             "%tid.y",
                                             "%ntid.x",
                                             "%ctaid.x",
                                             "%nctaid.x",
                                             "%smid",
                                             "%nsmid",
                                             "%clock",
                                             "%dynamic_smem_size",
                                             "%total_smem_size",
                                             "%gridid",
                                             "%cluster_ctarank",
                                             "%is_explicit_cluster",
                                             "%globaltimer_lo"};
    if (company_ == Company::alone) return line(fmt::format("{}mov.u32 {}, %gid;", guard(), word()));
    if (company_ == Company::grouped || choices_.one_in(2))
        return line(fmt::format("{}mov.u32 {}, {};", guard(), word(), choices_.of(of_group)));
    line(fmt::format("{}mov.u32 {}, {};", guard(), word(), choices_.of(of_all)));
}

// %x0 and %x1 point into the input.
void Generator::index() {
    static constexpr int scales[] = {1, 2, 4, 8, 16, 32};
    const int scale = choices_.of(scales);
    const std::size_t target = choices_.below(2);
    std::string from = choices_.one_in(3) ? "%gid" : word();
    line(fmt::format("and.b32 %t0, {}, 127;", from));
    if (choices_.one_in(2)) {
        line(fmt::format("mad.wide.u32 %x{}, %t0, {}, %in;", target, scale));
    } else {
        line(fmt::format("mul.wide.s32 %t1, %t0, {};\nadd.s64 %x{}, %in, %t1;", scale, target));
    }
}

// %y0 and %y1 are generic addresses of memory that is the thread's own, 16 bytes of it.
void Generator::generic_address() {
    const std::size_t target = choices_.below(2);
    switch (choices_.below(4)) {
        case 0: line(fmt::format("{}cvta.shared.u64 %y{}, %s;", guard(), target)); break;
        case 1: line(fmt::format("{}cvta.local.u64 %y{}, %l;", guard(), target)); break;
        case 2: line(fmt::format("{}mov.u64 %y{}, %a16;", guard(), target)); break;
        default: line(fmt::format("isspacep.shared {}, %y{};", predicate(), target)); break;
    }
}

void Generator::barrier() {
    if (company_ == Company::alone || in_function_) return special();
    switch (choices_.below(8)) {
        case 0: return line("bar.warp.sync -1;");
        case 1: return line("membar.gl;");
        case 2: return line(fmt::format("bar.red.popc.u32 {}, 0, {};", word(), predicate()));
        case 3: return line(fmt::format("barrier.sync {};", choices_.below(16)));
        case 4:
            return line(
                fmt::format("bar.red.or.pred {}, {}, {};", predicate(), choices_.below(2), predicate()));
        default: return line("bar.sync 0;");
    }
}

void Generator::branch() {
    // To the next label that will be placed, or one behind it.
    const int target = placed_ + static_cast<int>(choices_.below(3));
    labels_ = std::max(labels_, target + 1);
    std::string guarded =
        choices_.one_in(6) ? "" : fmt::format("@{}{} ", choices_.one_in(2) ? "!" : "", predicate());
    line(fmt::format("{}bra L{};", guarded, target));
}

void Generator::loop() {
    if (placed_ == 0) return branch();
    const int target = static_cast<int>(choices_.below(static_cast<std::size_t>(placed_)));
    if (company_ == Company::wild && choices_.one_in(32))
        return line(fmt::format("@{} bra L{};", predicate(), target));  // for ever, perhaps
    line("sub.s32 %fuel, %fuel, 1;\nsetp.gt.s32 %more, %fuel, 0;");
    if (choices_.one_in(2)) line(fmt::format("and.pred %more, %more, {};", predicate()));
    line(fmt::format("@%more bra L{};", target));
}

void Generator::table_branch() {
    const std::size_t count = 1 + choices_.below(4);
    std::string list;
    for (std::size_t i = 0; i < count; ++i) {
        const int target = placed_ + static_cast<int>(choices_.below(3));
        labels_ = std::max(labels_, target + 1);
        list += fmt::format("{}L{}", i ? ", " : "", target);
    }
    const int number = inner_++;
    line(fmt::format("rem.u32 %t0, {}, {};\nT{}: .branchtargets {};\n{}brx.idx %t0, T{};", word(), count,
                     number, list, guard(), number));
}

void Generator::call() {
    if (functions_.empty()) return library_call();
    const Function& callee = choices_.of(functions_);
    std::string text = "{\n.param .b32 back;\n.param .b64 last;\n";
    std::string list;
    for (int i = 0; i < callee.words; ++i) {
        text += fmt::format(".param .b32 x{};\nst.param.b32 [x{}], {};\n", i, i, word());
        list += fmt::format("x{}, ", i);
    }
    text += fmt::format("st.param.b64 [last], %d{};\n", choices_.below(long_count));
    list += "last";
    if (choices_.one_in(3)) {
        const Function& other = choices_.of(functions_);
        std::string prototype;
        for (int i = 0; i < callee.words; ++i) prototype += ".param .b32 _, ";
        const int number = inner_++;
        text += fmt::format("mov.u64 %t1, {};\n", callee.name);
        if (other.words == callee.words)
            text += fmt::format("mov.u64 %t2, {};\nselp.b64 %t1, %t1, %t2, {};\n", other.name, predicate());
        text += fmt::format(
            "P{}: .callprototype (.param .b32 _) _ ({}.param .b64 _);\n{}call (back), %t1, ({}), P{};\n",
            number, prototype, guard(), list, number);
    } else {
        text += fmt::format("call.uni (back), {}, ({});\n", callee.name, list);
    }
    text += fmt::format("ld.param.b32 {}, [back];\n}}", word());
    line(text);
}

void Generator::library_call() {
    static constexpr const char* names[] = {"__nv_sinf", "__nv_expf", "__nv_sqrtf", "__nv_cbrtf",
                                            "__nv_erff"};
    line(fmt::format(
        "{{\n.param .b32 x;\n.param .b32 back;\nst.param.b32 [x], {};\ncall.uni (back), {}, (x);\n"
        "ld.param.b32 {}, [back];\n}}",
        word(), choices_.of(names), word()));
}

void Generator::statement(bool in_function) {
    const std::size_t kind = choices_.below(32);
    switch (kind) {
        case 0:
        case 1: return index();
        case 2:
        case 3: return in_function ? special() : branch();
        case 4: return in_function ? special() : loop();
        case 5: return special();
        case 6: return generic_address();
        case 7: return in_function ? table_instruction() : call();
        case 8: return in_function ? table_instruction() : table_branch();
        case 9: return barrier();
        case 10: return library_call();
        case 11:
            if (choices_.one_in(4) && !in_function)
                return line(guard() + (choices_.one_in(2) ? "exit;" : "ret;"));
            return table_instruction();
        default: return table_instruction();
    }
}

constexpr const char* registers =
    ".reg .pred %p<6>;\n.reg .pred %more;\n.reg .b8 %b<2>;\n.reg .b16 %h<4>;\n.reg .b32 %r<8>;\n.reg .b64 "
    "%d<4>;\n.reg .f32 "
    "%f<2>;\n.reg .f64 %e<2>;\n.reg .b32 %fuel;\n.reg .b32 %gid;\n.reg .b32 %t0;\n.reg .b64 %t1;\n.reg .b64 "
    "%t2;\n"
    ".reg .b64 %in;\n.reg .b64 %c;\n.reg .b64 %x<2>;\n.reg .b64 %y<2>;\n.reg .b64 %l;\n.reg .b64 %s;\n"
    ".reg .b64 %a1;\n.reg .b64 %a2;\n.reg .b64 %a4;\n.reg .b64 %a8;\n.reg .b64 %a16;\n.reg .b64 %a32;\n"
    ".local .align 16 .b8 loc[64];\n";

// The registers' first values: per-thread data, thread numbers, and some that all threads share.
std::string first_values(bool in_function) {
    std::string text =
        "mov.u32 %t0, %ctaid.x;\nmov.u32 %r0, %ntid.x;\nmov.u32 %r1, %ntid.y;\nmul.lo.u32 %r2, %r0, %r1;\n"
        "mov.u32 %r3, %tid.x;\nmov.u32 %r4, %tid.y;\nmad.lo.u32 %r3, %r4, %r0, %r3;\n"
        "mul.wide.u32 %s, %r3, 32;\nmov.u64 %t1, sh;\nadd.s64 %s, %s, %t1;\n"
        "mad.lo.u32 %gid, %t0, %r2, %r3;\n";
    text += in_function ? "ld.global.u64 %in, [pointers];\nld.global.u64 %t2, [pointers+8];\n"
                        : "ld.param.u64 %in, [pin];\nld.param.u64 %t2, [pout];\n";
    for (std::size_t width : widths)
        text += fmt::format(
            "mul.wide.u32 %a{0}, %gid, {0};\nadd.s64 %a{0}, %a{0}, %t2;\nadd.s64 %a{0}, %a{0}, {1};\n", width,
            region(width));
    text += fmt::format("add.s64 %c, %t2, {};\nmov.u64 %l, loc;\n", cells);
    text +=
        "mul.wide.u32 %x0, %gid, 4;\nadd.s64 %x0, %x0, %in;\nmov.u64 %x1, %in;\nmov.u64 %y0, %a16;\nmov.u64 "
        "%y1, %a16;\n";
    for (int at = 0; at < local_bytes; at += 8)
        text += fmt::format("st.local.u64 [loc+{}], {};\n", at, at * 3);
    text +=
        "ld.global.b32 %r0, [%x0];\nld.global.b32 %r1, [%x0+512];\nld.global.b32 %r2, [%in+64];\nmov.b32 "
        "%r3, %gid;\n"
        "shl.b32 %r4, %gid, 2;\nmov.b32 %r5, 0;\nmov.b32 %r6, 0x3f800000;\n"
        "cvt.rn.f32.u32 %f0, %gid;\nmov.b32 %f1, %r1;\nmov.b32 %r7, %f0;\n"
        "ld.global.b64 %d0, [%in+128];\nmul.wide.u32 %t1, %gid, 8;\nadd.s64 %t1, %t1, %in;\nld.global.b64 "
        "%d1, [%t1+1024];\n"
        "cvt.u64.u32 %d2, %gid;\nmov.b64 %d3, 0;\ncvt.rn.f64.u32 %e0, %gid;\nmov.b64 %e1, %d1;\n"
        "mov.b16 %h0, 1;\ncvt.u16.u32 %h1, %r0;\ncvt.u16.u32 %h2, %r1;\nmov.b16 %h3, 0;\nmov.b32 {%b0, _, _, "
        "%b1}, %r0;\n"
        "setp.lt.u32 %p0, %r0, 0x40000000;\nand.b32 %t0, %gid, 1;\nsetp.eq.u32 %p1, %t0, 1;\nsetp.eq.u32 "
        "%p2, %r2, 0;\n"
        "setp.gt.u32 %p3, %gid, 7;\nsetp.ne.u32 %p4, %r5, 0;\nsetp.eq.u32 %p5, %r5, 0;\nmov.b32 %fuel, 24;\n";
    return text;
}

// Compiling takes nearly all the time of a run, so what is not used is left out.
std::set<std::string, std::less<>> names_in(std::string_view text) {
    std::set<std::string, std::less<>> names;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '%'))
            ++at;
        if (at == begin)
            ++at;
        else if (!std::isdigit(static_cast<unsigned char>(text[begin])))
            names.emplace(text.substr(begin, at - begin));
    }
    return names;
}

std::string needed_lines(const std::string& lines, const std::string& rest) {
    auto needed = names_in(rest);
    if (needed.contains("%l")) needed.insert("loc");
    std::vector<std::string> kept;
    for (std::size_t end = lines.size(); end > 0;) {
        const std::size_t begin = end < 2 ? 0 : lines.rfind('\n', end - 2) + 1;
        const std::string one = lines.substr(begin, end - begin);
        end = begin;
        // What stands first is written: a register, several, or a variable.
        const std::size_t operands = one.find(' ');
        const std::size_t first_end = one.find(one[operands + 1] == '{' ? '}' : ',', operands);
        const auto written = names_in(one.substr(operands, first_end - operands));
        if (std::ranges::none_of(written, [&](const std::string& name) { return needed.contains(name); }))
            continue;
        needed.merge(names_in(one));
        kept.push_back(one);
    }
    std::string result;
    for (auto one = kept.rbegin(); one != kept.rend(); ++one) result += *one;
    return result;
}

std::string Generator::function(std::size_t number) {
    Function made{fmt::format("f{}", number), static_cast<int>(1 + choices_.below(3)), choices_.one_in(3)};
    in_function_ = true;
    body_.clear();
    std::string parameters;
    for (int i = 0; i < made.words; ++i) parameters += fmt::format(".param .b32 a{}, ", i);
    std::string text =
        fmt::format(".func (.param .b32 back) {} ({}.param .b64 last)\n{{\n", made.name, parameters) +
        registers;
    for (std::size_t n = choices_.below(6); n > 0; --n) statement(true);
    text += needed_lines(first_values(true), body_ + "%r1");
    for (int i = 0; i < made.words; ++i) text += fmt::format("ld.param.b32 %r{}, [a{}];\n", i, i);
    text += "ld.param.b64 %d0, [last];\n";
    text += body_;
    if (made.calls_itself) {
        // No more than eight calls deep.
        text +=
            "and.b32 %t0, %r0, 7;\nsetp.eq.u32 %more, %t0, 0;\nst.param.b32 [back], %r1;\n@%more "
            "ret;\nsub.u32 %r0, %t0, 1;\n"
            "{\n.param .b32 inner;\n.param .b64 rest;\nst.param.b64 [rest], %d0;\n";
        std::string list;
        for (int i = 0; i < made.words; ++i) {
            text += fmt::format(".param .b32 x{};\nst.param.b32 [x{}], %r{};\n", i, i, i);
            list += fmt::format("x{}, ", i);
        }
        text += fmt::format("call (inner), {}, ({}rest);\nld.param.b32 %r1, [inner];\n}}\n", made.name, list);
    }
    text += "st.param.b32 [back], %r1;\nret;\n}\n";
    in_function_ = false;
    body_.clear();
    functions_.push_back(made);
    return text;
}

void Generator::end() {
    const auto used = names_in(body_);
    std::size_t at = last_values;
    line(fmt::format("sub.s64 %t2, %c, {};\nmul.wide.u32 %t1, %gid, 4;\nadd.s64 %t1, %t1, %t2;", cells));
    auto store = [&](const std::string& what) {
        line(fmt::format("st.global.b32 [%t1+{}], {};", at, what));
        at += most_threads * 4;
    };
    for (int i = 0; i < word_count; ++i)
        if (used.contains(fmt::format("%r{}", i))) store(fmt::format("%r{}", i));
    for (int i = 0; i < half_count; ++i) {
        if (!used.contains(fmt::format("%h{}", i))) continue;
        line(fmt::format("cvt.u32.u16 %t0, %h{};", i));
        store("%t0");
    }
    for (int i = 0; i < predicate_count; ++i) {
        if (!used.contains(fmt::format("%p{}", i))) continue;
        line(fmt::format("selp.u32 %t0, 1, 0, %p{};", i));
        store("%t0");
    }
    line("mul.wide.u32 %t1, %gid, 8;\nadd.s64 %t1, %t1, %t2;");
    for (int i = 0; i < long_count; ++i) {
        if (!used.contains(fmt::format("%d{}", i))) continue;
        line(fmt::format("st.global.b64 [%t1+{}], %d{};", at, i));
        at += most_threads * 8;
    }
    line("ret;");
}

GeneratedKernel Generator::run() {
    static constexpr Company companies[] = {Company::alone, Company::alone, Company::grouped, Company::wild};
    company_ = choices_.of(companies);
    std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".global .align 16 .b8 glob[256] = {1, 2, 3, 4, 250, 251, 252, 253, 0, 0, 128, 63};\n"
        ".const .align 16 .b8 cst[64] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 240, 63};\n"
        ".global .align 8 .u64 pointers[2];\n"
        ".shared .align 16 .b8 sh[4096];\n";
    for (const char* name : {"__nv_sinf", "__nv_expf", "__nv_sqrtf", "__nv_cbrtf", "__nv_erff"})
        text += fmt::format(".extern .func (.param .b32 back) {} (.param .b32 x);\n", name);
    for (std::size_t n = choices_.one_in(3) ? 1 + choices_.below(3) : 0; n > 0; --n) text += function(n);
    text +=
        ".visible .entry k(.param .u64 pin, .param .u64 pout, .param .u32 n, .param .align 8 .b8 "
        "blob[32])\n{\n";
    text += registers;
    for (int n = 0; n < 30 && !choices_.empty(); ++n) {
        if (choices_.one_in(6)) {
            line(fmt::format("L{}:", placed_++));
            labels_ = std::max(labels_, placed_);
        }
        statement(false);
    }
    while (placed_ < labels_) line(fmt::format("L{}:", placed_++));
    end();
    if (!functions_.empty())
        body_ = "st.global.u64 [pointers], %in;\nst.global.u64 [pointers+8], %t2;\n" + body_;
    return {text + needed_lines(first_values(false), body_) + body_ + "}\n", company_};
}

}  // namespace

GeneratedKernel generate_kernel(Choices& choices) { return Generator(choices).run(); }

}  // namespace lockstep::fuzz

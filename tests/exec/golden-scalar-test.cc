// Replays the recorded cases on the scalar functions themselves, without the JIT: tells an error in a
// function from one in the code that calls it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "exec/scalar/float-arithmetic.h"
#include "exec/scalar/float-ops.h"
#include "exec/scalar/int-ops.h"
#include "exec/scalar/libdevice.h"
#include "exec/scalar/video.h"
#include "golden-directory.h"
#include "golden/compare.h"
#include "golden/golden-file.h"
#include "golden/inputs.h"

namespace {

using namespace lockstep::exec;
using namespace lockstep::golden;

template <class T>
T from_raw(std::uint64_t v) {
    if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<float>(static_cast<std::uint32_t>(v));
    else if constexpr (std::is_same_v<T, double>)
        return std::bit_cast<double>(v);
    else
        return static_cast<T>(v);
}

template <class T>
std::uint64_t to_raw(T v) {
    if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<std::uint32_t>(v);
    else if constexpr (std::is_same_v<T, double>)
        return std::bit_cast<std::uint64_t>(v);
    else
        return static_cast<std::uint64_t>(v);
}

// .sat and .relu, which the JIT has as vector operations.
template <class F>
std::uint64_t clamped(std::uint64_t bits, std::string_view type, F&& clamp) {
    if (type == "f16") return to_raw(clamp(soft::F16{}, static_cast<Bits16>(bits)));
    if (type == "bf16") return to_raw(clamp(soft::Bf16{}, static_cast<Bits16>(bits)));
    if (type == "f32" || type == "tf32") return to_raw(clamp(soft::F32{}, from_raw<float>(bits)));
    if (type == "f64") return to_raw(clamp(soft::F64{}, from_raw<double>(bits)));
    return bits;
}

// Calls a function whose types are known only now: fixes one argument type a step.
template <class... A>
std::uint64_t call(const ScalarFunction& f, const std::vector<std::uint64_t>& values) {
    if constexpr (sizeof...(A) < 4) {
        if (sizeof...(A) < static_cast<std::size_t>(f.arg_count)) {
            switch (f.args[sizeof...(A)]) {
                case ScalarType::f32: return call<A..., float>(f, values);
                case ScalarType::f64: return call<A..., double>(f, values);
                case ScalarType::i64: return call<A..., std::uint64_t>(f, values);
                default: return call<A..., std::uint32_t>(f, values);
            }
        }
    }
    return [&]<std::size_t... i>(std::index_sequence<i...>) -> std::uint64_t {
        auto as = [&]<class R>(R) {
            return to_raw(reinterpret_cast<R (*)(A...)>(f.address)(from_raw<A>(values[i])...));
        };
        switch (f.result) {
            case ScalarType::f32: return as(float{});
            case ScalarType::f64: return as(double{});
            case ScalarType::i64: return as(std::uint64_t{});
            default: return as(std::uint32_t{});
        }
    }(std::index_sequence_for<A...>{});
}

std::vector<std::string> words_of(const std::string& name) {
    std::vector<std::string> words;
    std::string word;
    for (char c : name.substr(0, name.find(':')) + ".") {
        if (c != '.')
            word += c;
        else
            words.push_back(word), word.clear();
    }
    return words;
}

std::uint64_t flushed(std::uint64_t v, const std::string& type) {
    if (type == "f32" && (v & 0x7f800000) == 0) return v & 0x80000000;
    if (type == "f64" && (v & 0x7ff0000000000000) == 0) return v & 0x8000000000000000;
    if (type == "f16" && (v & 0x7c00) == 0) return v & 0x8000;
    if (type == "bf16" && (v & 0x7f80) == 0) return v & 0x8000;
    return v;
}

// What the instruction of a case computes, made of the scalar functions and of the steps that they leave to
// the caller.
class Composed {
  public:
    explicit Composed(const Case& c) : case_(c) {
        std::vector<std::string> words = words_of(c.name);
        op_ = words[0] == "mad" && (c.result == "f32" || c.result == "f64") ? "fma" : words[0];
        for (const std::string& word : words) flags_.insert(word);
        for (const std::string& word : words)
            if (word.size() > 1 && std::isdigit(static_cast<unsigned char>(word.back())) && word != op_)
                types_.push_back(word);
        part_ = types_.empty() ? "" : types_[0];
        pair_ = part_ == "f16x2" || part_ == "bf16x2";
        if (op_ == "cvt")
            function_ = find_conversion();
        else if (c.name.starts_with("__nv_"))
            function_ = find_lib_function(c.name);
        else
            function_ = find_plain();
    }

    bool known() const { return function_ != nullptr; }

    std::uint64_t operator()(std::vector<std::uint64_t> values) const {
        if (!pair_) return one(std::move(values));
        std::vector<std::uint64_t> low, high;
        for (std::uint64_t v : values) low.push_back(v & 0xffff), high.push_back(v >> 16 & 0xffff);
        return one(low) | one(high) << 16;
    }

  private:
    bool has(const std::string& flag) const { return flags_.contains(flag); }

    const ScalarFunction* find_plain() {
        if (pair_) part_ = part_.substr(0, part_.size() - 2);
        std::string name = op_, rounding;
        for (const char* r : {"rn", "rz", "rm", "rp", "approx", "full"})
            if (has(r)) rounding = std::string(".") + r;
        if (op_ == "min" || op_ == "max") {
            if (has("NaN")) name += ".NaN";
            if (has("xorsign")) name += ".xorsign.abs";
        } else if (rounding.empty()) {
            rounding = ".rn";
        }
        if (has("oob")) return nullptr;
        if (has("ftz")) {
            if (const ScalarFunction* f = find_float_op(name + rounding + ".ftz." + part_)) return f;
        }
        if (const ScalarFunction* f = find_float_op(name + rounding + "." + part_)) return f;
        std::string whole = case_.name.substr(0, case_.name.find(':'));
        if (whole.starts_with("prmt.b32.")) whole = "prmt." + whole.substr(9) + ".b32";
        if (case_.name.find(':') != std::string::npos) return nullptr;
        return find_int_op(whole);
    }

    const ScalarFunction* find_conversion() {
        pair_ = false;
        std::string name = "cvt";
        for (const char* r : {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"})
            if (has(r)) name += std::string(".") + r;
        std::string tail = "." + types_.at(0) + "." + types_.at(1);
        for (const char* flag : {".satfinite", ".relu"}) {
            if (!has(flag + 1)) continue;
            if (find_float_op(name + flag + tail))
                name += flag;
            else if (find_float_op(name + ".satfinite" + flag + tail))
                name += std::string(".satfinite") + flag;
        }
        part_ = types_.at(0);
        return find_float_op(name + tail);
    }

    std::uint64_t one(std::vector<std::uint64_t> values) const {
        bool conversion = op_ == "cvt";
        std::string source = conversion ? types_.at(1) : part_;
        // A conversion flushes f32 operands only, and not those that become f16.
        bool flushes = has("ftz") && (!conversion || (source == "f32" && part_ != "f16"));
        if (flushes)
            for (std::uint64_t& v : values) v = flushed(v, source);
        // … and its NaNs are then an f32's.
        if (flushes && conversion && part_ == "f64" && (values[0] & 0x7fffffff) > 0x7f800000)
            values[0] = 0x7fffffff;
        std::uint64_t r = call(*function_, values);
        if (has("sat"))
            r = clamped(r, part_, [](auto format, auto v) { return soft::saturate<decltype(format)>(v); });
        if (has("relu") &&
            (!conversion || std::string_view(function_->name).find("relu") == std::string_view::npos)) {
            r = clamped(r, part_, [](auto format, auto v) { return soft::relu<decltype(format)>(v); });
        }
        // .ftz says nothing of f16 results of a conversion.
        if (has("ftz") && (!conversion || part_ == "f32")) {
            r = flushed(r, part_);
            if (conversion && source == "bf16" && (r & 0x7fffffff) > 0x7f800000) r = 0x7fffffff;
        }
        return r;
    }

    const Case& case_;
    std::string op_, part_;
    std::set<std::string> flags_;
    std::vector<std::string> types_;
    bool pair_ = false;
    const ScalarFunction* function_ = nullptr;
};

template <class F>
std::optional<std::string> replay(const Case& c, const Recording& recording, const F& function) {
    auto entry = recording.entries.find(c.name);
    if (entry == recording.entries.end()) return std::nullopt;
    Inputs inputs = make_inputs(c);
    if (inputs.hash != entry->second.input_hash) return c.name + ": recorded with other inputs";
    auto bytes = static_cast<std::size_t>(c.result_bytes());
    std::vector<std::uint8_t> got(bytes * elements);
    for (int i = 0; i < elements; ++i) {
        std::vector<std::uint64_t> values;
        for (std::size_t k = 0; k < c.operands.size(); ++k) values.push_back(inputs.value(c, k, i));
        std::uint64_t r = function(values);
        std::memcpy(got.data() + static_cast<std::size_t>(i) * bytes, &r, bytes);
    }
    return first_difference(c, inputs, entry->second.results, got.data());
}

class GoldenScalar : public testing::TestWithParam<std::string> {};

TEST_P(GoldenScalar, FunctionsComputeWhatTheGpuDid) {
    Family family = read_list(golden_directory + "/lists/" + GetParam() + ".txt");
    Recording recording = read_recording(golden_directory + "/recorded/" + GetParam() + ".golden");
    int compared = 0;
    for (const Case& c : family.cases) {
        Composed function(c);
        if (!function.known()) continue;
        ++compared;
        if (auto problem = replay(c, recording, function)) ADD_FAILURE() << *problem;
    }
    std::printf("%s: %d of %zu cases have a scalar function\n", GetParam().c_str(), compared,
                family.cases.size());
    EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Families, GoldenScalar,
                         testing::Values("approximate", "bits", "convert", "float", "half", "integer",
                                         "math"),
                         [](const auto& info) { return info.param; });

VideoSelect select_of(const std::string& text) {
    const std::string names[] = {"", "b0", "b1", "b2", "b3", "h0", "h1"};
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (text == names[i]) return static_cast<VideoSelect>(i);
    throw std::runtime_error("no selector " + text);
}

// Reads the modifiers back from a case's name and body ("vadd.s32.u32.s32.sat d.b1, a.h0, b, c;").
Video video_of(const Case& c) {
    std::vector<std::string> words = words_of(c.name);
    auto has = [&](const std::string& w) { return std::ranges::find(words, w) != words.end(); };
    Video v;
    std::string op = words[0];
    v.parts = op.back() == '2' ? 2 : op.back() == '4' ? 4 : 1;
    if (v.parts > 1) op.pop_back();
    const std::pair<const char*, VideoOp> ops[] = {
        {"vadd", VideoOp::add}, {"vsub", VideoOp::sub}, {"vabsdiff", VideoOp::absdiff},
        {"vmin", VideoOp::min}, {"vmax", VideoOp::max}, {"vavrg", VideoOp::average},
        {"vshl", VideoOp::shl}, {"vshr", VideoOp::shr}, {"vmad", VideoOp::mad},
        {"vset", VideoOp::set}};
    for (auto [name, value] : ops)
        if (op == name) v.op = value;
    if (v.op == VideoOp::set) {
        v.d_signed = v.a_signed = words[1] == "s32", v.b_signed = words[2] == "s32";
    } else {
        v.d_signed = words[1] == "s32", v.a_signed = words[2] == "s32", v.b_signed = words[3] == "s32";
    }
    const char* comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    for (int i = 0; i < 6; ++i)
        if (has(comparisons[i])) v.compare = static_cast<VideoCompare>(i);
    v.saturate = has("sat");
    v.wrap = has("wrap");
    v.scale = has("shr7") ? 7 : has("shr15") ? 15 : 0;
    v.secondary = has("add")   ? VideoSecondary::add
                  : has("min") ? VideoSecondary::min
                  : has("max") ? VideoSecondary::max
                               : VideoSecondary::none;
    std::array<std::string, 3> selectors;  // of d, a, b
    std::size_t at = c.body.find(' ');
    for (std::string& selector : selectors) {
        std::size_t end = c.body.find_first_of(",;", at + 1);
        std::string operand = c.body.substr(at, end - at);
        if (std::size_t dot = operand.find('.'); dot != std::string::npos) selector = operand.substr(dot + 1);
        at = end;
    }
    if (v.parts == 1) {
        v.d = select_of(selectors[0]), v.a = select_of(selectors[1]), v.b = select_of(selectors[2]);
        return v;
    }
    if (v.parts == 2) v.b_parts = {2, 3, 0, 0};
    if (!selectors[0].empty()) {
        v.mask = 0;
        for (char digit : selectors[0].substr(1)) v.mask |= static_cast<std::uint8_t>(1 << (digit - '0'));
    }
    auto read = [&](const std::string& digits, std::array<std::uint8_t, 4>& parts) {
        if (digits.empty()) return;
        // The leftmost digit is the uppermost part.
        for (std::size_t k = 0; k < v.parts; ++k)
            parts[k] = static_cast<std::uint8_t>(digits[digits.size() - 1 - k] - '0');
    };
    read(selectors[1], v.a_parts);
    read(selectors[2], v.b_parts);
    return v;
}

TEST(GoldenScalar, VideoInstructionsComputeWhatTheGpuDid) {
    Family family = read_list(golden_directory + "/lists/video.txt");
    Recording recording = read_recording(golden_directory + "/recorded/video.golden");
    for (const Case& c : family.cases) {
        // A case with a text of its own, for minus signs and the like, is replayed as a kernel only.
        if (!c.body.starts_with(c.name.substr(0, c.name.find(':')) + " ")) continue;
        std::uint64_t modifiers = video_of(c).packed();
        auto problem = replay(c, recording, [&](std::vector<std::uint64_t> v) -> std::uint64_t {
            v.resize(3);
            return video(static_cast<std::uint32_t>(v[0]), static_cast<std::uint32_t>(v[1]),
                         static_cast<std::uint32_t>(v[2]), modifiers);
        });
        if (problem) ADD_FAILURE() << *problem;
    }
}

}  // namespace

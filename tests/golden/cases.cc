#include "golden/cases.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

namespace lockstep::golden {

namespace {

const std::map<std::string, int, std::less<>>& type_bytes() {
    static const std::map<std::string, int, std::less<>> bytes = {
        {"b16", 2},    {"u16", 2},    {"s16", 2},   {"b32", 4},   {"u32", 4},  {"s32", 4},
        {"b64", 8},    {"u64", 8},    {"s64", 8},   {"f16", 2},   {"bf16", 2}, {"f16x2", 4},
        {"bf16x2", 4}, {"tf32", 4},   {"f32", 4},   {"f64", 8},   {"u8", 4},   {"s8", 4},
        {"e4m3x2", 2}, {"e5m2x2", 2}, {"u16x2", 4}, {"s16x2", 4}, {"pred", 1}, {"pred|pred", 1},
    };
    return bytes;
}

bool is_type(std::string_view word) { return type_bytes().contains(word) && word != "pred|pred"; }

// All texts that a pattern stands for: (a|b) is a choice, {a|b} an optional one.
std::vector<std::string> expand(std::string_view pattern) {
    std::size_t open = pattern.find_first_of("({");
    if (open == std::string_view::npos) return {std::string(pattern)};
    bool optional = pattern[open] == '{';
    std::size_t close = pattern.find(optional ? '}' : ')', open);
    if (close == std::string_view::npos)
        throw std::runtime_error("unclosed bracket in " + std::string(pattern));
    std::vector<std::string> choices;
    if (optional) choices.emplace_back();
    std::string_view inside = pattern.substr(open + 1, close - open - 1);
    for (std::size_t at = 0; at <= inside.size();) {
        std::size_t bar = std::min(inside.find('|', at), inside.size());
        choices.emplace_back(inside.substr(at, bar - at));
        at = bar + 1;
    }
    std::vector<std::string> result;
    for (const std::string& tail : expand(pattern.substr(close + 1)))
        for (const std::string& choice : choices)
            result.push_back(std::string(pattern.substr(0, open)) + choice + tail);
    std::ranges::sort(result);
    return result;
}

std::vector<std::string> words_of(std::string_view text, std::string_view separators) {
    std::vector<std::string> words;
    for (std::size_t at = 0; (at = text.find_first_not_of(separators, at)) != std::string_view::npos;) {
        std::size_t end = std::min(text.find_first_of(separators, at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

// T1 is the first type in the instruction's name, T2 the second; W1 is T1 at twice the width.
std::string resolve(const std::string& token, const std::vector<std::string>& types) {
    if (token.size() != 2 || (token[0] != 'T' && token[0] != 'W') || !std::isdigit(token[1])) return token;
    auto index = static_cast<std::size_t>(token[1] - '1');
    if (index >= types.size()) throw std::runtime_error("no type " + token);
    const std::string& type = types[index];
    if (token[0] == 'T') return type;
    return type.substr(0, 1) + std::to_string(std::stoi(type.substr(1)) * 2);
}

std::string register_type(std::string_view type) {
    if (type == "pred" || type == "pred|pred") return "pred";
    if (type == "f32" || type == "f64") return std::string(type);
    return "b" + std::to_string(stored_bytes(type) * 8);
}

std::string identifier(std::string_view name) {
    std::string id = "k_";
    for (char c : name) id += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return id;
}

double number(const std::string& text) {  // "3" or "2^-21.5"
    if (text.starts_with("2^")) return std::exp2(std::stod(text.substr(2)));
    return std::stod(text);
}

Tolerance parse_tolerance(const std::vector<std::string>& words) {
    Tolerance t;
    for (const std::string& word : words) {
        if (word.starts_with("ulp:"))
            t.ulps = number(word.substr(4));
        else if (word.starts_with("rel:"))
            t.relative = number(word.substr(4));
        else if (word.starts_with("abs:"))
            t.absolute = number(word.substr(4));
        else if (word.starts_with("within:"))
            t.within = number(word.substr(7));
        else if (word == "nan")
            t.any_nan = true;
        else
            throw std::runtime_error("unknown tolerance " + word);
    }
    return t;
}

constexpr std::string_view operand_names[] = {"a", "b", "c", "e"};

bool is_library_call(const Case& c) { return c.name.starts_with("__nv_"); }

std::string param_type(const std::string& type) { return ".b" + std::to_string(stored_bytes(type) * 8); }

std::string call_body(const std::string& name, const Case& c) {
    std::string text = "{ .param " + param_type(c.result) + " result;", list;
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
        std::string param = "p" + std::to_string(i), type = param_type(c.operands[i]);
        text += " .param " + type + " " + param + "; st.param." + register_type(c.operands[i]) + " [" +
                param + "], " + std::string(operand_names[i]) + ";";
        list += (i ? ", " : "") + param;
    }
    return text + " call.uni (result), " + name + ", (" + list + "); ld.param." + register_type(c.result) +
           " d, [result]; }";
}

// `name` with its operand tokens makes a case. Without `body`, the case is the one instruction.
Case make_case(const std::string& name, const std::vector<std::string>& tokens, const std::string& suffix,
               std::string body, const Tolerance& tolerance) {
    std::vector<std::string> types;
    for (const std::string& word : words_of(name, ".:"))
        if (is_type(word) && word != "pred") types.push_back(word);
    Case c;
    std::string result = tokens.at(0), select;
    if (std::size_t dot = result.find('.'); dot != std::string::npos)
        select = result.substr(dot), result.resize(dot);
    c.result = resolve(result, types);
    std::string list = c.result == "pred|pred" ? "d|d2" : "d" + select;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (tokens[i].starts_with('#')) {
            list += ", " + tokens[i].substr(1);
            continue;
        }
        std::string type = tokens[i];
        select.clear();  // "u32.b0": an operand with a selector
        if (std::size_t dot = type.find('.'); dot != std::string::npos)
            select = type.substr(dot), type.resize(dot);
        list += ", " + std::string(operand_names[c.operands.size()]) + select;
        c.operands.push_back(resolve(type, types));
    }
    if (c.operands.size() > 4) throw std::runtime_error("too many operands");
    for (const std::string& type : c.operands) stored_bytes(type);
    if (name.starts_with("__nv_")) body = call_body(name, c);
    c.body = body.empty() ? name + " " + list + ";" : std::move(body);
    c.name = name + suffix;
    c.kernel = identifier(c.name);
    c.tolerance = tolerance;
    return c;
}

// Loads the address of an array: "d" or an operand's name to PTX that leaves it in `base`.
using Place = std::function<std::string(std::string_view)>;

// A case without its kernel: from the thread's number in `i`.
std::string case_ptx(const Case& c, const Place& place) {
    std::string text = "    .reg .b16 h<8>;\n";
    bool own_body =
        !c.body.starts_with(c.name.substr(0, c.name.find(':')) + " ");  // only those use the others
    if (own_body) text += "    .reg .b32 t<8>;\n    .reg .b64 x<8>;\n    .reg .pred q<8>;\n";
    for (std::size_t k = 0; k < c.operands.size(); ++k) {
        std::string reg(operand_names[k]);
        const std::string& type = c.operands[k];
        text += "    .reg ." + register_type(type) + " " + reg + ";\n";
        text += place(reg);
        text += "    mad.wide.u32 addr, i, " + std::to_string(stored_bytes(type)) + ", base;\n";
        if (type == "pred") {
            text += "    ld.global.u8 h0, [addr];\n    setp.ne.u16 " + reg + ", h0, 0;\n";
        } else {
            std::string load = register_type(type);
            text += "    ld.global." + load + " " + reg + ", [addr];\n";
        }
    }
    text += "    .reg ." + register_type(c.result) + " d;\n";
    if (c.result == "pred|pred") text += "    .reg .pred d2;\n";
    text += "    " + c.body + "\n";
    text += place("d");
    text += "    mad.wide.u32 addr, i, " + std::to_string(c.result_bytes()) + ", base;\n";
    if (c.result.starts_with("pred")) {
        text += "    selp.u16 h0, 1, 0, d;\n";
        if (c.result == "pred|pred") text += "    selp.u16 h1, 2, 0, d2;\n    or.b16 h0, h0, h1;\n";
        text += "    st.global.u8 [addr], h0;\n";
    } else {
        text += "    st.global." + register_type(c.result) + " [addr], d;\n";
    }
    return text;
}

constexpr const char* kernel_start =
    "    .reg .b64 addr, base;\n    .reg .b32 i, block, size;\n"
    "    mov.u32 block, %ctaid.x;\n    mov.u32 size, %ntid.x;\n    mov.u32 i, %tid.x;\n"
    "    mad.lo.u32 i, block, size, i;\n";

std::string kernel_ptx(const Case& c) {
    std::string text = ".visible .entry " + c.kernel + "(\n    .param .u64 p_d";
    for (std::size_t i = 0; i < c.operands.size(); ++i)
        text += ", .param .u64 p_" + std::string(operand_names[i]);
    auto parameter = [](std::string_view name) {
        return "    ld.param.u64 base, [p_" + std::string(name) + "];\n";
    };
    return text + ")\n{\n" + kernel_start + case_ptx(c, parameter) + "    ret;\n}\n";
}

std::string header_ptx(const std::vector<const Case*>& cases) {
    std::string text = ".version 8.5\n.target sm_90\n.address_size 64\n\n";
    for (const Case* c : cases) {
        if (!is_library_call(*c)) continue;
        text += ".extern .func (.param " + param_type(c->result) + " result) " + c->name + "(";
        for (std::size_t i = 0; i < c->operands.size(); ++i)
            text += (i ? ", .param " : ".param ") + param_type(c->operands[i]) + " p" + std::to_string(i);
        text += ");\n";
    }
    return text;
}

}  // namespace

int stored_bytes(std::string_view type) {
    auto found = type_bytes().find(type);
    if (found == type_bytes().end()) throw std::runtime_error("unknown type " + std::string(type));
    return found->second;
}

int Case::result_bytes() const { return stored_bytes(result); }

Family read_list(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    Family family;
    family.name = std::filesystem::path(path).stem();
    std::string line;
    int number = 0;
    try {
        while (std::getline(file, line)) {
            ++number;
            if (std::size_t comment = line.find("//"); comment != std::string::npos) line.resize(comment);
            while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
            if (line.empty()) continue;
            std::size_t colon = line.find(" : ");
            if (colon == std::string::npos) throw std::runtime_error("no ' : '");
            std::string pattern = line.substr(0, colon), rest = line.substr(colon + 3), suffix, body;
            Tolerance tolerance;
            if (std::size_t tilde = rest.find('~'); tilde != std::string::npos) {
                tolerance = parse_tolerance(words_of(rest.substr(tilde + 1), " "));
                rest.resize(tilde);
            }
            std::vector<std::string> tokens = words_of(rest, " ");
            for (const std::string& token : tokens)
                if (token.starts_with('#') || token.find('.') != std::string::npos)
                    suffix += ":" + token.substr(token.find_first_of("#.") + 1);
            if (tokens.at(0) == "pred|pred") suffix += ":pair";
            if (line.starts_with('@')) {
                pattern = pattern.substr(1);
                while (std::getline(file, line) && line.starts_with("    ")) {
                    ++number;
                    body += line.substr(4) + " ";
                }
                ++number;
            }
            for (const std::string& name : expand(pattern))
                family.cases.push_back(make_case(name, tokens, suffix, body, tolerance));
        }
    } catch (const std::exception& e) {
        throw std::runtime_error(path + ":" + std::to_string(number) + ": " + e.what());
    }
    return family;
}

std::vector<std::string> list_names(const std::string& directory) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory))
        if (entry.path().extension() == ".txt") names.push_back(entry.path().stem());
    std::ranges::sort(names);
    return names;
}

std::string ptx_module(const std::vector<const Case*>& cases) {
    std::string text = header_ptx(cases);
    for (const Case* c : cases) text += kernel_ptx(*c) + "\n";
    return text;
}

std::string group_module(const std::vector<const Case*>& cases) {
    std::string text = header_ptx(cases) + ".visible .entry group(.param .u64 p_table)\n{\n" + kernel_start;
    text += "    .reg .b64 table;\n    ld.param.u64 table, [p_table];\n";
    for (std::size_t n = 0; n < cases.size(); ++n) {
        auto entry = [&](std::string_view name) {
            std::size_t slot =
                name == "d"
                    ? 0
                    : 1 + static_cast<std::size_t>(std::ranges::find(operand_names, name) - operand_names);
            return "    ld.global.u64 base, [table+" + std::to_string((n * group_slots + slot) * 8) + "];\n";
        };
        text += "    {\n" + case_ptx(*cases[n], entry) + "    }\n";
    }
    return text + "    ret;\n}\n";
}

std::string cuda_source(const std::vector<const Case*>& cases) {
    static const std::map<std::string, std::string, std::less<>> names = {
        {"s32", "int"},   {"u32", "unsigned"}, {"s64", "long long"},      {"u64", "unsigned long long"},
        {"f32", "float"}, {"f64", "double"},   {"b16", "unsigned short"}, {"b32", "unsigned"}};
    std::string text;
    for (const Case* c : cases) {
        std::string params, kernel_params = names.at(c->result) + "* d", call;
        for (std::size_t i = 0; i < c->operands.size(); ++i) {
            const std::string& type = names.at(c->operands[i]);
            std::string name(operand_names[i]);
            params += (i ? ", " : "") + type;
            kernel_params += ", const " + type + "* " + name;
            call += (i ? ", " : "") + name + "[i]";
        }
        text += "extern \"C\" __device__ " + names.at(c->result) + " " + c->name + "(" + params + ");\n";
        text += "extern \"C\" __global__ void " + c->kernel + "(" + kernel_params + ") {\n";
        text += "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n    d[i] = " + c->name + "(" +
                call + ");\n}\n";
    }
    return text;
}

}  // namespace lockstep::golden

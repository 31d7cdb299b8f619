// A C++ source as text that is looked at without being compiled: where its functions are, and what they call.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::compile {

// Without comments and strings; lines stay where they are.
std::string only_code(std::string_view source);

struct FunctionText {
    std::string name;                // of a macro with parameters, too
    std::size_t begin = 0, end = 0;  // of its body
};
// In the order of their begin; those of a struct as others, a lambda is part of what it stands in.
std::vector<FunctionText> functions_in(std::string_view code);

// The arguments of a call whose opening parenthesis is at `open`; empty where it does not end.
std::vector<std::string_view> arguments_at(std::string_view code, std::size_t open);

// Behind the bracket, brace or parenthesis that ends what begins at `open`.
std::size_t behind_closing(std::string_view code, std::size_t open);

}  // namespace lockstep::compile

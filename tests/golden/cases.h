// The conformance cases: one instruction variant each, and the PTX kernel that applies it to an array of
// operands. Recorder (on a GPU) and replay test share this code, so that both run the same PTX on the same
// inputs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::golden {

// How far a result may lie from the recorded one. All zero: bit for bit. A result passes if any one bound
// holds.
struct Tolerance {
    double ulps = 0;
    double relative = 0;
    double absolute = 0;
    double within = 0;     // where not 0: only elements whose first operand is no larger in magnitude count
    bool any_nan = false;  // NaN payloads are not compared
    bool is_exact() const { return ulps == 0 && relative == 0 && absolute == 0; }
};

struct Case {
    std::string name;                   // "add.rz.ftz.f32"; unique in its family
    std::string kernel;                 // the same as a PTX identifier
    std::string result;                 // a PTX type, "pred", or "pred|pred"
    std::vector<std::string> operands;  // PTX types or "pred", without immediates
    std::string body;                   // PTX statements from registers a, b, c, e to d
    Tolerance tolerance;

    int result_bytes() const;
};

struct Family {
    std::string name;
    std::vector<Case> cases;
};

inline constexpr int elements = 384;  // threads of a case's grid
inline constexpr int block_size = 128;

// Reads a list (see lists/README). Throws std::runtime_error naming the line: a broken list is a bug of the
// tests.
Family read_list(const std::string& path);
std::vector<std::string> list_names(const std::string& directory);  // sorted, without ".txt"

// A PTX module with the kernels of these cases. Device library functions (__nv_*) are calls to undefined
// functions, as clang leaves them.
std::string ptx_module(const std::vector<const Case*>& cases);

// A module with one kernel, `group`, that does all these cases one after the other: compiling it costs far
// less than a kernel each. Its parameter points to group_slots addresses a case: the results', then the
// operands'.
inline constexpr std::size_t group_slots = 5;
std::string group_module(const std::vector<const Case*>& cases);

// The same kernels for device library functions as CUDA C++: nvcc links NVIDIA's own library in.
std::string cuda_source(const std::vector<const Case*>& cases);

// Bytes of a value of this type as inputs and outputs store it: 8-bit integers lie in 32-bit registers.
int stored_bytes(std::string_view type);

}  // namespace lockstep::golden

// The device runtime: functions of CUDA's API that kernels call. PTX names them as the API does (code of CUDA
// 11 and before, and of -DCUDA_FORCE_CDP1_IF_SUPPORTED), or with __cudaCDP2 in front.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "exec/nested.h"
#include "exec/warp-context.h"

namespace lockstep::exec {

struct RuntimeFunction {
    std::string_view name;
    std::uint32_t result_bytes;
    std::span<const std::uint32_t> argument_bytes;
};
// Null: there is no such function. Its place in the list is its number.
const RuntimeFunction* find_runtime_function(std::string_view name);
std::uint32_t runtime_function_number(const RuntimeFunction& function);

// What a block keeps of its calls.
class BlockRequests {
  public:
    explicit BlockRequests(BlockSlot& slot) : slot_(slot) {}
    ~BlockRequests();
    BlockRequests(const BlockRequests&) = delete;
    BlockRequests& operator=(const BlockRequests&) = delete;

    // One of the functions, for the lanes of `mask`. For each argument and for the result there is an array
    // by lane.
    void call(WarpContext& warp, std::uint32_t site, std::uint32_t mask, std::uint32_t function,
              std::byte* results, const std::byte* arguments);

    std::vector<NestedWork> take() { return std::move(work_); }
    void begin_block();  // nothing is left of the one before but memory

  private:
    struct Call;
    struct Launch {
        NestedKernel kernel;
        std::uint64_t bytes = 0;
    };
    std::uint64_t answer(Call& call);
    std::uint64_t parameter_buffer(Call& call);
    NestedError launch(Call& call);
    NestedError launch_graph(Call& call);
    NestedError change_node(const Call& call, std::uint64_t node, const NodeChange& change);
    NestedError change_nodes(const Call& call);
    static NodeParameter parameter_at(const Call& call, std::uint64_t offset, std::uint64_t value,
                                      std::uint64_t size);
    // An error that the call gives, told once with its reason.
    NestedError refuse(const Call& call, NestedError error, const std::string& reason);
    NestedError no_stream(const Call& call, std::uint64_t stream);
    NestedError no_event(const Call& call, std::uint64_t event);
    [[noreturn]] void bad_handle(const Call& call, std::uint64_t handle, const char* what);
    NestedError enqueue(Call& call, std::uint64_t stream, decltype(NestedWork::what) what);
    bool is_stream(std::uint64_t stream) const;
    std::uint64_t reserve(std::uint64_t bytes);

    BlockSlot& slot_;
    std::vector<NestedWork> work_;
    std::map<std::uint64_t, Launch> buffers_;           // by address
    std::map<std::uint32_t, NestedError> last_errors_;  // by thread
    std::set<std::uint64_t> streams_, events_;
    std::uint64_t next_handle_ = 0;
    struct Chunk {
        std::uint64_t begin, size;
    };
    std::vector<Chunk> chunks_;
    std::size_t chunk_ = 0;
    std::uint64_t used_ = 0;  // of the chunk
};

}  // namespace lockstep::exec

#include "cli/block-drawing.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace lockstep::cli {
namespace {

using gpu::BlockLayout;
using gpu::Dimensions;

constexpr std::size_t first_shown = 8, last_shown = 2;

std::string span(std::uint32_t first, std::uint32_t last) {
    return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

// "x 32-39 y 0": the axes that the block has.
std::string box_text(const Dimensions& block, const gpu::ThreadBox& box) {
    std::string text = "x " + span(box.first[0], box.last[0]);
    if (block[1] > 1 || block[2] > 1) text += " y " + span(box.first[1], box.last[1]);
    if (block[2] > 1) text += " z " + span(box.first[2], box.last[2]);
    return text;
}

// A lane is the last digit of its thread's row, so that rows are told apart; a dot is idle.
std::string warp_line(const BlockLayout& layout, std::size_t index) {
    const gpu::WarpLayout& warp = layout.warps[index];
    std::string lanes(static_cast<std::size_t>(layout.warp_size), '.');
    for (std::size_t lane = 0; lane < warp.rows.size(); ++lane)
        lanes[lane] = static_cast<char>('0' + warp.rows[lane] % 10);
    std::string threads;
    for (const gpu::ThreadBox& box : warp.boxes)
        threads += (threads.empty() ? "" : " | ") + box_text(layout.block, box);
    const std::size_t idle = lanes.size() - warp.rows.size();
    if (idle) threads += fmt::format(" | {} idle", idle);
    return fmt::format("{:>4}  {}  {}\n", index, lanes, threads);
}

// "0       8       16      24      " over the lanes.
std::string lane_scale(int warp_size) {
    std::string scale;
    for (int lane = 0; lane < warp_size; lane += 8) scale += fmt::format("{:<8}", lane);
    return scale;
}

}  // namespace

std::string text_of(const BlockLayout& layout, bool all) {
    const Dimensions& block = layout.block;
    const std::size_t warps = layout.warps.size();
    std::string text = fmt::format(
        "a block of {} x {} x {} = {} thread{}: {} warp{} of {} lanes, {} idle in the last one\n"
        "thread (x, y, z) is number x + {} y + {} z; its warp is that number / {}, its lane the remainder\n"
        "a digit is a lane, and the last digit of its thread's row (y + {} z); a dot is an idle lane\n\n",
        block[0], block[1], block[2], gpu::count(block), gpu::count(block) == 1 ? "" : "s", warps,
        warps == 1 ? "" : "s", layout.warp_size, layout.idle_lanes, block[0], block[0] * block[1],
        layout.warp_size, block[1]);
    text += fmt::format("warp  {}  threads\n", lane_scale(layout.warp_size));
    const bool fold = !all && warps > first_shown + last_shown + 1;
    for (std::size_t w = 0; w < warps; ++w) {
        if (fold && w == first_shown) {
            const std::size_t left_out = warps - first_shown - last_shown;
            text += fmt::format(" ...  {} more warps, all lanes active (--all draws them)\n", left_out);
            w += left_out;
        }
        text += warp_line(layout, w);
    }
    return text;
}

nlohmann::ordered_json json_of(const BlockLayout& layout) {
    auto warps = nlohmann::ordered_json::array();
    for (const gpu::WarpLayout& warp : layout.warps) {
        auto boxes = nlohmann::ordered_json::array();
        for (const gpu::ThreadBox& box : warp.boxes)
            boxes.push_back({{"first", box.first}, {"last", box.last}});
        warps.push_back({{"active_lanes", warp.rows.size()}, {"threads", std::move(boxes)}});
    }
    return {{"block", layout.block},
            {"threads", gpu::count(layout.block)},
            {"warp_size", layout.warp_size},
            {"idle_lanes", layout.idle_lanes},
            {"warps", std::move(warps)}};
}

std::string csv_of(const BlockLayout& layout) {
    std::string text = "warp,lane,active,x,y,z\n";
    for (std::size_t w = 0; w < layout.warps.size(); ++w)
        for (int lane = 0; lane < layout.warp_size; ++lane) {
            if (static_cast<std::size_t>(lane) >= layout.warps[w].rows.size()) {
                text += fmt::format("{},{},0,,,\n", w, lane);
                continue;
            }
            const Dimensions thread = gpu::thread_at(layout, static_cast<int>(w), lane);
            text += fmt::format("{},{},1,{},{},{}\n", w, lane, thread[0], thread[1], thread[2]);
        }
    return text;
}

}  // namespace lockstep::cli

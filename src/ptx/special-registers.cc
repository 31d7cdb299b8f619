#include "ptx/special-registers.h"

#include <array>
#include <unordered_map>

namespace lockstep::ptx {
namespace {

struct Info {
    std::string_view name;
    Type type = Type::u32;
};

// clang-format off
constexpr std::array infos{
    Info{"%tid.x"}, Info{"%tid.y"}, Info{"%tid.z"},
    Info{"%ntid.x"}, Info{"%ntid.y"}, Info{"%ntid.z"},
    Info{"%ctaid.x"}, Info{"%ctaid.y"}, Info{"%ctaid.z"},
    Info{"%nctaid.x"}, Info{"%nctaid.y"}, Info{"%nctaid.z"},
    Info{"%laneid"}, Info{"%warpid"}, Info{"%nwarpid"}, Info{"%smid"}, Info{"%nsmid"},
    Info{"%gridid", Type::u64},
    Info{"%lanemask_eq"}, Info{"%lanemask_le"}, Info{"%lanemask_lt"}, Info{"%lanemask_ge"}, Info{"%lanemask_gt"},
    Info{"%clock"}, Info{"%clock_hi"}, Info{"%clock64", Type::u64},
    Info{"%globaltimer", Type::u64}, Info{"%globaltimer_lo"}, Info{"%globaltimer_hi"},
    Info{"%dynamic_smem_size"}, Info{"%total_smem_size"}, Info{"%aggr_smem_size"},
    Info{"WARP_SZ"},
    Info{"%cluster_ctaid.x"}, Info{"%cluster_ctaid.y"}, Info{"%cluster_ctaid.z"},
    Info{"%cluster_nctaid.x"}, Info{"%cluster_nctaid.y"}, Info{"%cluster_nctaid.z"},
    Info{"%clusterid.x"}, Info{"%clusterid.y"}, Info{"%clusterid.z"},
    Info{"%nclusterid.x"}, Info{"%nclusterid.y"}, Info{"%nclusterid.z"},
    Info{"%cluster_ctarank"}, Info{"%cluster_nctarank"}, Info{"%is_explicit_cluster", Type::pred},
    Info{"%envreg1"}, Info{"%envreg2"},
    Info{"%reserved_smem_offset_1"},
    Info{"%current_graph_exec", Type::u64},
};
// clang-format on
static_assert(infos.size() == static_cast<std::size_t>(SpecialRegister::count));

}  // namespace

std::string_view special_register_name(SpecialRegister reg) {
    return infos[static_cast<std::size_t>(reg)].name;
}

Type special_register_type(SpecialRegister reg) { return infos[static_cast<std::size_t>(reg)].type; }

std::optional<SpecialRegister> parse_special_register(std::string_view name) {
    static const auto by_name = [] {
        std::unordered_map<std::string_view, SpecialRegister> map;
        for (std::size_t i = 0; i < infos.size(); ++i)
            map.emplace(infos[i].name, static_cast<SpecialRegister>(i));
        return map;
    }();
    auto found = by_name.find(name);
    if (found == by_name.end()) return std::nullopt;
    return found->second;
}

bool is_special_register_word(std::string_view word) {
    for (const Info& each : infos)
        if (each.name.substr(0, each.name.find('.')) == word) return true;
    if (word == "%reserved_smem_offset_begin" || word == "%reserved_smem_offset_end" ||
        word == "%reserved_smem_offset_cap")
        return true;
    // %envreg<32>, %pm<8>, %pm<8>_64 and %reserved_smem_offset_<2> are families.
    for (std::string_view prefix : {"%envreg", "%pm", "%reserved_smem_offset_"}) {
        if (!word.starts_with(prefix)) continue;
        std::string_view rest = word.substr(prefix.size());
        if (rest.ends_with("_64")) rest.remove_suffix(3);
        if (!rest.empty() && rest.size() <= 2 && rest.find_first_not_of("0123456789") == rest.npos)
            return true;
    }
    return false;
}

}  // namespace lockstep::ptx

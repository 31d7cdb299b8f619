// What becomes of values that nobody gave: registers loaded from memory that was not written, followed byte
// by byte until they decide something, or reach the host. Only warps that hold such values are followed;
// which way the others go, and what they compute, does not matter.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/code.h"
#include "check/definedness.h"
#include "check/findings.h"
#include "check/order.h"
#include "events/observer.h"
#include "events/records.h"

namespace lockstep::check {

// The loads that were found to read what was not written, of all launches, by number: what a report of each
// would say.
class Origins {
  public:
    // What an access that was left out has read, and what is made of it: it was told.
    static constexpr std::uint32_t made_up = 1;
    // 0 is none.
    std::uint32_t add(const std::string& key, const std::function<Finding()>& make);
    const Finding& finding(std::uint32_t origin) const { return all_[origin]; }
    // What it reads is a matter of order, which was told: a race.
    void drop(const std::string& key);
    bool dropped(std::uint32_t origin) const { return all_[origin].places.empty(); }

  private:
    std::map<std::string, std::uint32_t> known_;
    std::vector<Finding> all_{2};  // none, and made up: without a place, as what was dropped
};

// Of a register: so many bytes, a bit each.
constexpr std::uint8_t all_of(int bytes) { return static_cast<std::uint8_t>((1u << bytes) - 1); }

class UndefinedValues {
  public:
    using Who = std::function<std::string(std::uint32_t block, std::uint32_t warp, int lane)>;
    UndefinedValues(const KernelCode& code, std::uint32_t warps, Definedness& memory, Origins& origins,
                    Findings& findings, Who who, History history);

    // What follows is done by this warp; the windows are there until the next.
    void at(std::uint64_t block, std::uint32_t warp, const events::Windows& windows) {
        if (!running_ || block != block_number_) come_to(block);
        warp_ = &(*running_)[warp];
        warp_number_ = warp;
        windows_ = &windows;
    }
    // Of the warp: then it matters where it is, and not by which way it came there.
    bool holds_nothing() const { return warp_->values.empty() && !nests_; }
    void block_begins(const events::Windows& windows);
    // At first the threads' own memory holds nothing.
    void warp_goes_on() {
        if (!warp_->begun) warp_begins();
    }
    void block_ended(std::uint64_t block);

    void enter(std::uint32_t numbered_block, Lanes lanes) {
        if (nests_) return enter_nested(numbered_block, lanes);
        if (!warp_->values.empty()) finish_block();
        warp_->block = numbered_block;
        warp_->lanes = lanes;
        warp_->next = 0;
    }
    void access(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                const events::Windows& windows) {
        if (nests_ || !warp_->values.empty() || !access_quickly(site, mask, first, stride, windows))
            access_lanes(site, mask, first, stride, windows);
    }
    void access(std::uint32_t site, const events::RowsAccess& rows, const events::Windows& windows) {
        if (nests_ || !warp_->values.empty() || !access_quickly(site, rows, windows))
            access(site, rows.mask, rows.scattered().addresses, windows);
    }
    void access(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                const events::Windows& windows);

    // Some texels that the lanes of a texture or surface instruction touch.
    void texels(std::uint32_t site, const events::TexelAccess& record);

    // The result of an instruction is undefined in these lanes, which `origin` tells.
    void undefined_result(std::uint32_t numbered_block, std::uint32_t instruction, Lanes lanes,
                          std::uint32_t origin);
    // The lanes in which some operand of it is made up.
    Lanes with_made_up_operand(std::uint32_t numbered_block, std::uint32_t instruction, Lanes lanes);
    // These lanes of an access were left out, since it may not be: what they read is made up.
    void left_out(std::uint32_t site, Lanes lanes);
    // Those whose address is made up.
    Lanes with_made_up_address(std::uint32_t site, Lanes lanes);

    // Tells what decided something, but for sites that race.
    void finish(const std::set<std::uint32_t>& racing);

  private:
    // Of a register: the bytes that are not defined, by lane, and of which lanes they were computed from
    // such.
    struct Value {
        std::array<std::uint8_t, warp_lanes> bytes{};
        Lanes derived = 0;
        Lanes made_up = 0;  // Origins::made_up; of the others:
        std::uint32_t origin = 0;
        bool none() const;
        void came_from(std::uint32_t where, int lane) {
            if (where == Origins::made_up)
                made_up |= Lanes{1} << lane;
            else if (where)
                origin = where;
        }
        std::uint32_t origin_of(int lane) const { return made_up >> lane & 1 ? Origins::made_up : origin; }
    };
    using Values = std::map<kernel::RegId, Value>;
    // Of a function that has called another: where it was, with which lanes, and what it held.
    struct Frame {
        std::uint32_t block = 0, next = 0;
        Lanes lanes = 0, called = 0;
        Lanes entered = 0, inside = 0;  // lanes that the callee began with, and that have not returned
        Values values;
    };
    struct Warp {
        std::uint32_t block = 0;  // that it is in, of the kernel's
        Lanes lanes = 0;
        std::uint32_t next = 0;  // instruction that was not followed yet
        bool begun = false;
        Lanes called = 0;  // those that have been in a function by the call that comes next
        std::vector<Frame> frames;
        Values values;                                   // that have undefined bytes
        std::array<std::uint64_t, warp_lanes> source{};  // of cp.async
    };

    // Of a warp that holds nothing undefined: most accesses are to a stretch of memory that is whole, where a
    // store changes nothing. False: it is not so, and nothing was done.
    bool access_quickly(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                        const events::Windows& windows) {
        const Simple& at = simple_[site];
        int low = std::countr_zero(mask), high = 31 - std::countl_zero(mask);
        const bool gaps = (mask >> low) & ((mask >> low) + 1);
        if (stride < 0) std::swap(low, high);
        const std::uint64_t begin = first + static_cast<std::uint64_t>(stride * low);
        if (at.bytes == 0 || (code_.calls && windows.local.contains(begin))) return false;
        const std::uint64_t size = static_cast<std::uint64_t>(stride * (high - low)) + at.bytes;
        const bool all = stride == 0 || (stride == static_cast<std::int64_t>(at.bytes) && !gaps);
        if (at.loads || !all) return size < far && memory_.all_defined(begin, size);
        memory_.set(begin, size, Byte::defined);
        return true;
    }
    // What it has done before it says so does no harm.
    bool access_quickly(std::uint32_t site, const events::RowsAccess& rows, const events::Windows& windows) {
        if (const Simple& at = simple_[site]; at.loads && rows.mask == ~Lanes{0} && !code_.calls)
            if (const bool one = rows.stride == 0; one || rows.stride == static_cast<std::int64_t>(at.bytes))
                return are_defined(rows,
                                   one ? at.bytes : at.bytes * static_cast<std::uint64_t>(rows.width()));
        for (std::uint32_t row = 0; row < rows.rows; ++row)
            if (const events::LinearAccess one = rows.row(row);
                one.mask && !access_quickly(site, one.mask, one.first, one.stride, windows))
                return false;
        return true;
    }
    // Of each row so many bytes.
    bool are_defined(const events::RowsAccess& rows, std::uint64_t bytes) const {
        if (!memory_.all_defined(rows.first, bytes)) return false;
        for (std::uint32_t row = 1; row < rows.rows; ++row)
            if (rows.distances[row - 1] != 0 && !memory_.all_defined(rows.begin(row), bytes)) return false;
        return true;
    }
    void access_lanes(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                      const events::Windows& windows);
    void come_to(std::uint64_t block);
    void warp_begins();
    void load(std::uint32_t site, Lanes mask, const std::uint64_t* addresses);
    void store(std::uint32_t site, Lanes mask, const std::uint64_t* addresses);
    void exchange(std::uint32_t site, Lanes mask, const std::uint64_t* addresses);
    // Of a lane: bytes in memory become bytes of a register, from `first_byte` on, or the other way.
    void load_bytes(std::uint32_t site, int lane, std::uint64_t address, int bytes, int first_byte,
                    Value& value);
    void store_bytes(int lane, std::uint64_t address, int bytes, int first_byte, const Value& value);
    // Matrices (undefined-matrices.cc).
    void move_matrix(std::uint32_t site, Lanes mask, const std::uint64_t* addresses);
    void move_wmma(std::uint32_t site, Lanes mask, const std::uint64_t* addresses);
    void move_rows(std::uint32_t site, Lanes mask, const std::uint64_t* addresses);
    void evaluate_product(const ptx::Instruction& instruction);
    static Value turned(const Value& value);
    std::uint32_t origin_of(std::uint32_t site, int lane, std::uint64_t address);
    // Follows the code up to an instruction.
    void follow(std::uint32_t numbered_block, std::uint32_t instruction);
    void finish_block();
    void evaluate(const ptx::Instruction& instruction);
    void evaluate_call(const ptx::Instruction& instruction);
    // Functions that were not inlined (undefined-calls.cc).
    static constexpr std::uint64_t far = 1 << 16;  // more than a look at all of it is worth
    static bool has_calls(const kernel::Kernel& kernel);
    static Values passed(const kernel::Function& from, const Values& values,
                         const std::vector<std::uint32_t>& given, const kernel::Function& to,
                         const std::vector<std::uint32_t>& taken, Lanes lanes);
    const kernel::Block& block_at(std::uint32_t numbered_block) const;
    bool come_to_call(Lanes lanes);
    void enter_function(std::uint32_t numbered_block, Lanes lanes);
    bool leave_function();
    void leave_block(std::uint32_t next);
    void forget_calls();
    void come_back_to(std::uint32_t numbered_block);
    void enter_nested(std::uint32_t numbered_block, Lanes lanes);
    void evaluate_shuffle(const ptx::Instruction& instruction);
    const Value* value(const ptx::Operand& operand) const;
    void put(const ptx::Instruction& instruction, const ptx::Operand& operand, const Value& value,
             Lanes lanes);
    // The value does so at a line of the function that the warp is in.
    void decides(const Value& value, Lanes lanes, const char* what, int source);
    std::string key_of(std::uint32_t site) const;
    const kernel::Function& function() const;
    const ptx::Instruction& instruction_at(std::uint32_t numbered_block, std::uint32_t instruction) const;
    int register_bytes(const ptx::Operand& operand) const;

    const KernelCode& code_;
    const bool nests_;  // some functions were not inlined
    Definedness& memory_;
    Origins& origins_;
    Findings& findings_;
    Who who_;
    History history_;
    std::unordered_map<std::uint64_t, std::vector<Warp>> blocks_;  // that run: by warp
    std::vector<Warp>* running_ = nullptr;
    std::vector<std::vector<Warp>> unused_;
    std::uint32_t warps_of_block_;
    struct Decided {
        std::uint64_t times = 0;
        Place place;  // the first
    };
    std::map<std::pair<std::uint32_t, std::string>, Decided> decided_;  // by origin and what
    const events::Windows* windows_ = nullptr;                          // of the warp that is there
    std::vector<std::uint32_t> site_block_;  // by site: its block among all of the kernel
    // By site: what plain loads and stores are; others have no bytes.
    struct Simple {
        std::uint32_t bytes = 0;
        bool loads = false;
    };
    std::vector<Simple> simple_;
    std::uint64_t block_number_ = 0;
    std::uint32_t warp_number_ = 0;
    Warp* warp_ = nullptr;
};

}  // namespace lockstep::check

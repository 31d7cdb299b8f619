// Texture and surface instructions of a warp: finds the objects, checks what a GPU leaves unchecked, reads
// and writes, and tells observers which sectors the texture unit asks for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#include "events/records.h"
#include "exec/accessible.h"
#include "exec/block-slot.h"
#include "exec/callbacks.h"
#include "exec/fault-message.h"
#include "exec/run-state.h"
#include "exec/sampling.h"
#include "exec/texture-form.h"

namespace lockstep::exec {
namespace {

using Operation = TextureForm::Operation;
using Geometry = Fetch::Geometry;

constexpr std::uint64_t sector_bytes = 32, line_bytes = 128;
constexpr std::size_t line_banks = 4;          // of the L1
constexpr std::uint32_t fetched_at_once = 16;  // bytes of a lane that the filter takes in one go

const char* name_of(Geometry geometry) {
    switch (geometry) {
        case Geometry::d1: return "one-dimensional";
        case Geometry::d2: return "two-dimensional";
        case Geometry::d3: return "three-dimensional";
        case Geometry::cube: return "cube";
    }
    return "";
}

Geometry geometry_of(const Image& image) {
    return image.cube              ? Geometry::cube
           : image.dimensions == 1 ? Geometry::d1
           : image.dimensions == 2 ? Geometry::d2
                                   : Geometry::d3;
}

// What the lanes of one group touch, each sector once.
class Sectors {
  public:
    void touch(std::uint64_t address, std::uint32_t bytes) {
        for (std::uint64_t at = address / sector_bytes; at <= (address + bytes - 1) / sector_bytes; ++at) {
            const auto group = all_.begin() + static_cast<std::ptrdiff_t>(begin_);
            if (std::find(group, all_.end(), at * sector_bytes) == all_.end())
                all_.push_back(at * sector_bytes);
        }
    }
    void next_group() { begin_ = all_.size(); }
    // Turns in which the L1 finds the last group's lines: each of its banks finds one at a time.
    std::uint32_t turns() const {
        std::array<std::uint32_t, line_banks> load{};
        for (std::size_t i = begin_; i < all_.size(); ++i) {
            const std::uint64_t line = all_[i] / line_bytes;
            const auto same = [&](std::uint64_t sector) { return sector / line_bytes == line; };
            const auto group = all_.begin() + static_cast<std::ptrdiff_t>(begin_);
            const auto here = all_.begin() + static_cast<std::ptrdiff_t>(i);
            if (std::none_of(group, here, same)) ++load[bank_of(line)];
        }
        return *std::max_element(load.begin(), load.end());
    }
    // Of the last group, as often again.
    void repeat(std::uint32_t times) {
        const std::size_t end = all_.size();
        for (; times > 0; --times)
            for (std::size_t i = begin_; i < end; ++i) all_.push_back(all_[i]);
    }
    const std::vector<std::uint64_t>& all() const { return all_; }

  private:
    // Lines that are neighbours in a picture, along a row or a column, are in different banks.
    static std::size_t bank_of(std::uint64_t line) {
        std::uint64_t bank = 0;
        for (; line; line /= line_banks) bank ^= line % line_banks;
        return bank;
    }

    std::vector<std::uint64_t> all_;
    std::size_t begin_ = 0;
};

class Access {
  public:
    Access(WarpContext& ctx, std::uint32_t site, TextureForm form, const std::uint64_t* handles,
           const std::uint32_t* numbers, std::uint64_t* values)
        : ctx_(ctx), site_(site), form_(form), handles_(handles), numbers_(numbers), values_(values) {
        fetch_.geometry = form.geometry;
        fetch_.layered = form.layered;
        fetch_.whole_numbers = form.whole_numbers;
        fetch_.level = form.level;
        fetch_.floats = form.floats;
        fetch_.gathered = form.operation == Operation::fetch ? form.detail : static_cast<std::int8_t>(-1);
        watched_ = ctx.slot->watched && ctx.slot->run.grid.wants.has(events::Wants::accesses) &&
                   form.operation != Operation::query;
    }

    // The fault is returned, since a fault leaves the stack without destroying what lies on it.
    std::optional<Fault> run(std::uint32_t mask) {
        const std::uint32_t lanes = form_.operation == Operation::fetch && !form_.whole_numbers ? 4 : 8;
        bool done = false;
        // Where a kernel goes on behind faults, each lane has its own.
        if (!ctx_.slot->run.grid.launch.bad_accesses)
            if (auto fault = all_at_once(mask, done)) return fault;
        if (done && !watched_) return std::nullopt;
        for (std::uint32_t first = 0; first < warp_lanes; first += lanes) {
            const std::uint32_t group = mask & ((1u << lanes) - 1u) << first;
            if (group == 0) continue;
            std::uint32_t most = 0;
            for (std::uint32_t rest = group; rest; rest &= rest - 1) {
                lane_ = static_cast<std::uint32_t>(std::countr_zero(rest));
                if (!done) {
                    read_[lane_].count = 0;
                    if (auto fault = one()) {
                        if (!ctx_.slot->run.grid.launch.bad_accesses) return fault;
                        known_ = false;
                        ctx_.slot->fault_and_go_on(ctx_, std::move(*fault), 1u << lane_);
                    }
                }
                most = std::max(most, read_[lane_].count * bytes_);
            }
            if (watched_) count(group, first, most);
        }
        if (!watched_) return std::nullopt;
        tell(mask);
        if (ctx_.slot->run.grid.wants.has(events::Wants::texels)) tell_texels(mask);
        return std::nullopt;
    }

  private:
    Fault fault(FaultKind kind, const std::string& what) const {
        Fault made = fault_at(ctx_, kind, site_, static_cast<int>(lane_), what);
        made.at->space = of_texture() ? "texture" : "surface";
        made.at->writes = form_.operation != Operation::fetch && form_.operation != Operation::load &&
                          form_.operation != Operation::query;
        return made;
    }
    std::uint32_t number(std::size_t i) const { return numbers_[i * warp_lanes + lane_]; }
    std::uint64_t& value(std::size_t i) const { return values_[i * warp_lanes + lane_]; }

    // Where all lanes that take part have the same texture, and it is of the simple kind.
    std::optional<Fault> all_at_once(std::uint32_t mask, bool& done) {
        if (mask == 0 || form_.operation != Operation::fetch || form_.geometry != Geometry::d2)
            return std::nullopt;
        lane_ = static_cast<std::uint32_t>(std::countr_zero(mask));
        if (auto fault = find()) return fault;
        if (!plan_.plane) return std::nullopt;
        for (std::uint32_t rest = mask; rest; rest &= rest - 1)
            if (handles_[std::countr_zero(rest)] != handle_) return std::nullopt;
        sample_plane(*texture_, plan_, mask, numbers_, numbers_ + warp_lanes, values_, read_.data());
        done = true;
        return std::nullopt;
    }

    std::optional<Fault> one() {
        if (handles_[lane_] != handle_ || !known_)
            if (auto fault = find()) return fault;
        switch (form_.operation) {
            case Operation::fetch: sample_texture(); return beyond_memory();
            case Operation::query: query(); return std::nullopt;
            default: return surface();
        }
    }

    bool of_texture() const {
        return form_.operation == Operation::fetch || (form_.operation == Operation::query && form_.texels);
    }

    std::optional<Fault> find() {
        handle_ = handles_[lane_];
        const auto& objects = ctx_.slot->run.grid.launch.objects;
        const Objects::Entry* entry = objects ? objects->find(handle_) : nullptr;
        texture_ = entry && of_texture() ? entry->texture.get() : nullptr;
        surface_ = entry && !of_texture() ? entry->surface.get() : nullptr;
        const char* const wanted = of_texture() ? "texture" : "surface";
        if (!texture_ && !surface_) {
            const std::string what = handle_ == 0       ? "none: nothing is bound, or it was never created"
                                     : !entry           ? "none that was created on this device"
                                     : entry->destroyed ? fmt::format("a {} that was destroyed", wanted)
                                     : entry->texture   ? "a texture"
                                     : entry->surface   ? "a surface"
                                                        : "none";
            return fault(FaultKind::illegal_address,
                         fmt::format("{} object {} is {}", wanted, handle_, what));
        }
        image_ = texture_ ? texture_->image.get() : surface_->image.get();
        bytes_ = image_->format.bytes();
        if (form_.operation == Operation::fetch) plan_ = plan_of(*texture_, fetch_);
        SiteRange& known = ctx_.sites[site_];
        if (form_.operation != Operation::query &&
            (image_->address - known.begin > known.limit || known.limit == 0)) {
            const auto allocation = ctx_.slot->run.grid.memory->find(image_->address, image_->bytes);
            if (!allocation)
                return fault(FaultKind::illegal_address,
                             fmt::format("{} object {} looks at memory that is gone: {}", wanted, handle_,
                                         ctx_.slot->run.grid.memory->describe(image_->address)));
            known = {allocation->address, allocation->size};
        }
        known_ = true;
        return form_.operation == Operation::query ? std::nullopt : check_geometry(wanted);
    }

    std::optional<Fault> check_geometry(const char* wanted) const {
        if (texture_ && texture_->memory) {
            if (form_.geometry == Geometry::d1 && !form_.layered) return std::nullopt;
            return fault(
                FaultKind::illegal_instruction,
                fmt::format("texture object {} looks at linear memory: it can be read with tex1Dfetch, not "
                            "as a {} texture",
                            handle_, name_of(form_.geometry)));
        }
        // A surface knows a cube by its faces.
        const bool faces = surface_ && image_->cube;
        const Geometry has = faces ? Geometry::d2 : geometry_of(*image_);
        const bool layered = faces || image_->layered;
        if (has == form_.geometry && layered == static_cast<bool>(form_.layered)) return std::nullopt;
        // With one coordinate an H200 reads the first row.
        if (texture_ && form_.geometry == Geometry::d1 && has == Geometry::d2 && !layered && !form_.layered)
            return std::nullopt;
        return fault(FaultKind::illegal_instruction,
                     fmt::format("{} object {} is {}{}, and the instruction takes it for {}{}", wanted,
                                 handle_, name_of(geometry_of(*image_)), image_->layered ? ", layered" : "",
                                 name_of(form_.geometry), form_.layered ? ", layered" : ""));
    }

    void sample_texture() {
        FetchPoint point;
        std::size_t next = 0;
        if (form_.layered) point.layer = number(next++);
        const std::size_t space = coordinates_of(form_) - form_.layered;
        for (std::size_t a = 0; a < space; ++a) point.at[a] = number(next++);
        if (form_.level == Fetch::Level::given) point.level = std::bit_cast<float>(number(next++));
        if (form_.level == Fetch::Level::gradient) {
            for (std::size_t a = 0; a < space; ++a) point.dx[a] = std::bit_cast<float>(number(next++));
            for (std::size_t a = 0; a < space; ++a) point.dy[a] = std::bit_cast<float>(number(next++));
        }
        const auto result = sample(*texture_, fetch_, plan_, point, read_[lane_]);
        for (std::size_t c = 0; c < 4; ++c) value(c) = result[c];
    }

    // An index beyond linear memory gives zero, and nobody means it.
    std::optional<Fault> beyond_memory() const {
        if (!ctx_.slot->run.grid.launch.bad_accesses || !texture_->memory || read_[lane_].count != 0)
            return std::nullopt;
        return fault(
            FaultKind::illegal_address,
            fmt::format("texture object {}: element {} is outside of the {} of its linear memory, "
                        "and reads as zero",
                        handle_, static_cast<std::int32_t>(number(0)), image_->levels[0].extent.width));
    }

    void query() const {
        const ImageExtent& extent = image_->levels[texture_ ? texture_->first_level : surface_->level].extent;
        const std::uint32_t faces = image_->cube ? 6 : 1;
        const bool deep = !image_->layered && !image_->cube;
        switch (static_cast<TextureForm::Query>(form_.detail)) {
            case TextureForm::Query::width: value(0) = extent.width; break;
            case TextureForm::Query::height: value(0) = extent.height; break;
            case TextureForm::Query::depth: value(0) = deep ? extent.depth : 1; break;
            case TextureForm::Query::layers: value(0) = image_->layered ? extent.depth / faces : 0; break;
            case TextureForm::Query::levels:
                value(0) = texture_ ? texture_->last_level - texture_->first_level + 1 : 1;
                break;
        }
    }

    std::optional<Fault> surface() {
        const ImageLevel& level = image_->levels[surface_->level];
        const bool texels = form_.operation == Operation::store_formatted || form_.texels;
        const std::uint32_t touched = texels ? bytes_ : std::uint32_t{form_.elements} * form_.element_bytes;
        const std::int64_t row = std::int64_t{level.extent.width} * bytes_;
        std::array<std::int64_t, 3> at{};  // x in bytes
        std::size_t next = 0;
        if (form_.layered) at[2] = static_cast<std::int32_t>(number(next++));
        const std::size_t space = coordinates_of(form_) - form_.layered;
        for (std::size_t a = 0; a < space; ++a) at[a] = static_cast<std::int32_t>(number(next++));
        const std::int64_t given = at[0];
        if (texels) at[0] *= bytes_;
        if (at[0] % touched != 0)
            return fault(
                FaultKind::misaligned_address,
                fmt::format(
                    "surface object {}: x is {} bytes, and must be a multiple of the {} bytes accessed",
                    handle_, given, touched));
        const std::array<std::int64_t, 3> last{row - touched, std::int64_t{level.extent.height} - 1,
                                               std::int64_t{level.extent.depth} - 1};
        bool inside = true;
        for (std::size_t a = 0; a < 3; ++a) inside &= at[a] >= 0 && at[a] <= last[a];
        if (!inside) switch (static_cast<TextureForm::Bound>(form_.detail)) {
                case TextureForm::Bound::trap:
                    return fault(
                        FaultKind::illegal_address,
                        fmt::format(
                            "surface object {}: {} at x = {} bytes, y = {}, z = {} is outside of its {} "
                            "bytes by {} rows by {} slices",
                            handle_, form_.operation == Operation::load ? "a read" : "a write", at[0], at[1],
                            at[2], row, level.extent.height, level.extent.depth));
                case TextureForm::Bound::zero: return std::nullopt;
                case TextureForm::Bound::clamp:
                    for (std::size_t a = 0; a < 3; ++a)
                        at[a] = std::clamp<std::int64_t>(at[a], 0, std::max<std::int64_t>(last[a], 0));
            }
        const std::uint64_t address =
            image_->byte(level, static_cast<std::uint64_t>(at[0]), static_cast<std::uint64_t>(at[1]),
                         static_cast<std::uint64_t>(at[2]));
        read_[lane_].add(address);
        touched_ = touched;
        move(address);
        return std::nullopt;
    }

    void move(std::uint64_t address) const {
        auto* bytes = reinterpret_cast<std::byte*>(address);
        switch (form_.operation) {
            case Operation::load:
                for (std::size_t i = 0; i < form_.elements; ++i)
                    std::memcpy(&value(i), bytes + i * form_.element_bytes, form_.element_bytes);
                break;
            case Operation::store:
                for (std::size_t i = 0; i < form_.elements; ++i)
                    std::memcpy(bytes + i * form_.element_bytes, &value(i), form_.element_bytes);
                break;
            case Operation::store_formatted: {
                std::array<std::uint32_t, 4> values{};
                for (std::size_t i = 0; i < form_.elements; ++i)
                    values[i] = static_cast<std::uint32_t>(value(i));
                store_texel(image_->format, address, values);
                break;
            }
            default:
                if (form_.element_bytes == 8)
                    form_.is_signed ? combine<std::int64_t>(address) : combine<std::uint64_t>(address);
                else
                    form_.is_signed ? combine<std::int32_t>(address) : combine<std::uint32_t>(address);
        }
    }

    template <class T>
    void combine(std::uint64_t address) const {
        std::atomic_ref<T> place(*reinterpret_cast<T*>(address));
        const auto given = static_cast<T>(value(0));
        T old = place.load(), next = old;
        do switch (static_cast<TextureForm::Combine>(form_.combine)) {
                case TextureForm::Combine::add:
                    next =
                        static_cast<T>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(given));
                    break;
                case TextureForm::Combine::min: next = std::min(old, given); break;
                case TextureForm::Combine::max: next = std::max(old, given); break;
                case TextureForm::Combine::and_: next = old & given; break;
                case TextureForm::Combine::or_: next = old | given; break;
            }
        while (!place.compare_exchange_weak(old, next));
    }

    // Lanes of a group go through the unit together as long as it can take what they read at once; then in
    // pairs, and each pair as often as it needs. (Counted on an H200 for 2-D and 3-D, linear and not, of 1 to
    // 16 bytes.)
    void count(std::uint32_t group, std::uint32_t first, std::uint32_t most) {
        const bool fetch = form_.operation == Operation::fetch;
        const std::uint32_t bytes = fetch ? bytes_ : touched_;
        const bool filter = fetch && !form_.whole_numbers;
        const std::uint32_t passes =
            filter ? std::max((most + fetched_at_once - 1) / fetched_at_once, 1u) : 1;
        requests_ += fetch && form_.whole_numbers && bytes_ == 16 ? 2 : 1;
        wavefronts_ += passes;
        const std::uint32_t lanes = passes > 1 ? 2 : filter ? 4 : 8, all = filter ? 4 : 8;
        for (std::uint32_t part = first; part < first + all; part += lanes) {
            sectors_.next_group();
            for (std::uint32_t lane = part; lane < part + lanes; ++lane)
                if (group >> lane & 1)
                    for (std::uint32_t i = 0; i < read_[lane].count; ++i)
                        sectors_.touch(read_[lane].address[i], bytes);
            const std::uint32_t times = passes > 2 ? passes / 2 : 1;
            turns_ += sectors_.turns() * times;
            sectors_.repeat(times - 1);
        }
    }

    void tell(std::uint32_t mask) {
        events::TextureAccess record;
        record.word = events::tagged(events::TextureAccess::tag, site_);
        record.mask = mask;
        record.requests = static_cast<std::uint16_t>(requests_);
        record.wavefronts = static_cast<std::uint16_t>(wavefronts_);
        record.turns = static_cast<std::uint16_t>(turns_);
        record.texel_bytes = static_cast<std::uint16_t>(bytes_);
        const auto& all = sectors_.all();
        std::size_t at = 0;
        do {
            record.count = static_cast<std::uint16_t>(
                std::min<std::size_t>(all.size() - at, events::TextureAccess::most_sectors));
            std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), record.count, record.sectors);
            ctx_.slot->append(ctx_, std::as_bytes(std::span(&record, 1)).first(record.size()));
            at += record.count;
            record.requests = record.wavefronts = record.turns = 0;
        } while (at < all.size());
    }

    void tell_texels(std::uint32_t mask) {
        events::TexelAccess record;
        record.word = events::tagged(events::TexelAccess::tag, site_);
        record.bytes = form_.operation == Operation::fetch ? bytes_ : touched_;
        for (record.part = 0;; ++record.part) {
            record.mask = 0;
            for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
                if (record.part >= read_[lane].count) continue;
                record.mask |= 1u << lane;
                record.addresses[lane] = read_[lane].address[record.part];
            }
            if (!record.mask) return;
            ctx_.slot->append(ctx_, std::as_bytes(std::span(&record, 1)));
        }
    }

    WarpContext& ctx_;
    const std::uint32_t site_;
    const TextureForm form_;
    const std::uint64_t* handles_;
    const std::uint32_t* numbers_;
    std::uint64_t* values_;
    Fetch fetch_;
    bool watched_ = false;
    std::uint32_t lane_ = 0;

    // Of the lane before, which mostly has the same.
    bool known_ = false;
    std::uint64_t handle_ = 0;
    const Texture* texture_ = nullptr;
    const Surface* surface_ = nullptr;
    const Image* image_ = nullptr;
    SamplingPlan plan_;
    std::uint32_t bytes_ = 0, touched_ = 0;  // of a texel; of a surface's access

    std::array<TexelAddresses, warp_lanes> read_;
    Sectors sectors_;
    std::uint32_t requests_ = 0, wavefronts_ = 0, turns_ = 0;
};

std::optional<Fault> access_texture(WarpContext& ctx, std::uint32_t site, std::uint64_t form,
                                    std::uint32_t mask, const std::uint64_t* objects,
                                    const std::uint32_t* numbers, std::uint64_t* values) {
    return Access(ctx, site, TextureForm::of(form), objects, numbers, values).run(mask);
}

}  // namespace

extern "C" void callback_texture(WarpContext* ctx, std::uint32_t site, std::uint64_t form, std::uint32_t mask,
                                 const std::uint64_t* objects, const std::uint32_t* numbers,
                                 std::uint64_t* values) {
    if (auto fault = access_texture(*ctx, site, form, mask, objects, numbers, values))
        ctx->slot->fault(std::move(*fault));
}

}  // namespace lockstep::exec

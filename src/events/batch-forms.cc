#include "events/batch-forms.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/cpu-clones.h"
#include "events/visit.h"

namespace lockstep::events {
namespace {

constexpr std::size_t most_forms = 1024, most_words = 1 << 18;
constexpr std::size_t most_piece = 64;     // words: batches that differ mostly do so early
constexpr std::size_t hashed_records = 4;  // the first ones, and of the last words what all of a form have
constexpr std::size_t hashed_words = 8;
constexpr std::uint32_t tries = 8;  // forms of one hash
// A new form costs as much as so many batches of known ones spare. Where too few follow, nothing is looked
// for in so many batches.
constexpr std::int32_t cost = 8, after_pause = 32 * cost;
constexpr std::uint32_t pause = 4096;

constexpr std::uint64_t all = ~std::uint64_t{0}, within_form = form_bytes - 1;
static_assert(offsetof(SplitRecord, taken) == 8 && std::endian::native == std::endian::little);

LOCKSTEP_CPU_CLONES bool are_equal(const std::uint64_t* a, const std::uint64_t* b,
                                   const std::uint64_t* matters, std::size_t count) {
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < count; ++i) different |= (a[i] ^ b[i]) & matters[i];
    return different == 0;
}

// All lanes by the same.
LOCKSTEP_CPU_CLONES bool are_moved(const std::uint64_t* a, const std::uint64_t* b) {
    const std::uint64_t by = a[0] - b[0];
    std::uint64_t different = by & within_form;
    for (int lane = 0; lane < kernel::warp_lanes; ++lane) different |= (a[lane] - b[lane]) ^ by;
    return different == 0;
}

const std::uint64_t* words_of(const Batch& batch) {
    return reinterpret_cast<const std::uint64_t*>(batch.records.data());
}

// Of what batches of one form have in common.
std::uint64_t hash_of(const Batch& batch) {
    const std::uint64_t* const words = words_of(batch);
    const std::size_t count = batch.records.size() / sizeof *words;
    std::uint64_t hash = count;
    const auto mix = [&](std::uint64_t word) { hash = (hash ^ word) * 0x9e3779b97f4a7c15u; };
    std::size_t at = 0;
    for (std::size_t i = 0; i < hashed_records && at < count; ++i) {
        const Tag tag = tag_of(static_cast<std::uint32_t>(words[at]));
        mix(words[at]);
        if (tag == Tag::block) {
            at += sizeof(BlockRecord) / sizeof *words;
        } else if (tag == Tag::linear_access) {
            mix(words[at + 1] & within_form);
            at += sizeof(LinearAccess) / sizeof *words;
        } else if (tag == Tag::scattered_access) {
            mix(words[at + 1] & within_form);
            at += sizeof(ScatteredAccess) / sizeof *words;
        } else if (tag == Tag::rows_access) {
            mix(words[at + 2] & within_form);
            at += RowsAccess::bytes(static_cast<std::uint32_t>(words[at + 1] >> 32)) / sizeof *words;
        } else {
            break;
        }
    }
    // Warps that begin alike may end in many ways: where a block leaves its result, for example. These bits
    // are addresses' within a line, or other bits that matter.
    for (std::size_t i = count - std::min(count, hashed_words); i < count; ++i) mix(words[i] & within_form);
    return hash ^ hash >> 32;
}

}  // namespace

bool BatchForms::has_form(const Form& form, const Batch& batch) {
    if (batch.records.size() != form.first.records.size()) return false;
    const std::uint64_t* const words = words_of(batch);
    for (const Piece& piece : form.pieces)
        if (piece.lanes ? !are_moved(words + piece.begin, form.words.data() + piece.begin)
                        : !are_equal(words + piece.begin, form.words.data() + piece.begin,
                                     form.matters.data() + piece.begin, piece.end - piece.begin))
            return false;
    return true;
}

bool BatchForms::describe(Form& form) const {
    bool known = true;
    std::vector<Piece>& pieces = form.pieces;
    const auto compare = [&](std::size_t words) {
        const auto at = static_cast<std::uint32_t>(form.matters.size());
        const auto end = static_cast<std::uint32_t>(at + words);
        form.matters.resize(end, all);
        if (!pieces.empty() && !pieces.back().lanes && end - pieces.back().begin <= most_piece)
            pieces.back().end = end;
        else
            pieces.push_back({at, end, false});
    };
    // What memory an address lies in must not depend on it.
    const auto has_space = [&](std::uint32_t site) { return kernel_.sites[site].space != ptx::Space::none; };
    const auto moves = [&](std::size_t words, std::size_t address) {
        form.matters[form.matters.size() - words + address / sizeof all] = within_form;
    };
    visit_as_recorded(form.first.records, [&]<class Record>(std::uint32_t number, const Record& record) {
        const std::size_t words = size_of(record) / sizeof(std::uint64_t);
        if constexpr (std::is_same_v<Record, BlockRecord> || std::is_same_v<Record, SlowWayRecord>) {
            compare(words);
        } else if constexpr (std::is_same_v<Record, SplitRecord>) {
            compare(words);
            form.matters.back() = ~WarpBits{0};  // `taken`; what follows nobody writes
        } else if constexpr (std::is_same_v<Record, LinearAccess>) {
            known = known && has_space(number);
            compare(words);
            moves(words, offsetof(LinearAccess, first));
        } else if constexpr (std::is_same_v<Record, RowsAccess>) {
            known = known && has_space(number);
            compare(words);
            moves(words, offsetof(RowsAccess, first));
        } else if constexpr (std::is_same_v<Record, ScatteredAccess>) {
            known = known && has_space(number);
            compare(words - kernel::warp_lanes);
            const auto at = static_cast<std::uint32_t>(form.matters.size());
            form.matters.resize(at + kernel::warp_lanes);
            pieces.push_back({at, at + kernel::warp_lanes, true});
        } else {
            known = false;
        }
    });
    return known;
}

BatchForms::Found BatchForms::found(Form& form) {
    last_->next = &form;
    last_ = &form;
    credit_ = std::min(credit_ + 1, most_credit);
    return {&form, false};
}

void BatchForms::missed() {
    credit_ -= cost;
    if (credit_ >= 0) return;
    credit_ = after_pause;
    pause_ = pause;
}

BatchForms::Found BatchForms::find(const Batch& batch) {
    if (pause_ > 0) {
        --pause_;
        return {};
    }
    // What came after the last one mostly does so again.
    if (last_ && has_form(*last_->next, batch)) return found(*last_->next);
    if (places_.empty()) places_.resize(4 * most_forms);
    const std::uint64_t hash = hash_of(batch);
    std::uint32_t* place = nullptr;
    for (std::uint32_t i = 0; i < tries; ++i) {
        place = &places_[(hash + i) % places_.size()];
        if (*place == 0) break;
        if (Form& form = forms_[*place - 1]; form.hash == hash && has_form(form, batch)) return found(form);
    }
    missed();
    if (*place != 0) return {};
    Form form;
    form.first = batch;
    form.words.resize(batch.records.size() / sizeof(std::uint64_t));
    std::memcpy(form.words.data(), batch.records.data(), batch.records.size());
    form.first.records = std::as_bytes(std::span(form.words));
    form.hash = hash;
    if (!describe(form)) return {};
    form.number = static_cast<std::uint32_t>(forms_.size());
    form.whole_bytes = whole_bytes(batch.records);
    words_ += form.words.size();
    *place = form.number + 1;
    Form& kept = forms_.emplace_back(std::move(form));
    kept.next = &kept;
    if (last_) last_->next = &kept;
    last_ = &kept;
    full_ = forms_.size() == most_forms || words_ > most_words;
    return {&kept, true};
}

void BatchForms::forget() {
    forms_.clear();
    places_.clear();
    words_ = 0;
    last_ = nullptr;
    full_ = false;
}

void FormFinder::records(const Batch& batch) {
    // Records that others want hide what repeats.
    const BatchForms::Found found = batch.recorded == wants() ? forms_.find(batch) : BatchForms::Found{};
    for (FormObserver* observer : observers_) {
        if (!found.form)
            observer->records(batch);
        else if (found.is_new)
            observer->begins_form(batch, *found.form);
        else
            observer->has_form(batch, *found.form);
    }
    if (forms_.full()) finish();
}

void FormFinder::finish() {
    for (FormObserver* observer : observers_) observer->forget_forms();
    forms_.forget();
}

}  // namespace lockstep::events

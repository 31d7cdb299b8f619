// Batches that repeat each other. Warps of a grid mostly do the same, each in another place: their records
// are equal but for addresses, and these are moved by whole lines. Such batches have one form, and whoever
// counts needs to look at one of them.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "events/moved-blocks.h"
#include "events/observer.h"
#include "kernel/kernel.h"

namespace lockstep::events {

struct BatchForm {
    std::uint32_t number = 0;     // from 0 on, without gaps
    Batch first;                  // with which it began; its records are kept here
    std::size_t whole_bytes = 0;  // as events/visit.h has it
};

// One worker's forms.
class BatchForms {
  public:
    explicit BatchForms(const kernel::Kernel& kernel) : kernel_(kernel) {}

    struct Found {
        const BatchForm* form = nullptr;  // null: it has none
        bool is_new = false;
    };
    Found find(const Batch& batch);
    // No more fit. What was found stays until forget().
    bool full() const { return full_; }
    void forget();

  private:
    // Words that are compared: those of records, or the lanes' addresses of an access.
    struct Piece {
        std::uint32_t begin = 0, end = 0;
        bool lanes = false;
    };
    struct Form : BatchForm {
        Form* next = nullptr;                // the form that came after it last
        std::vector<std::uint64_t> words;    // of the records
        std::vector<std::uint64_t> matters;  // their bits that have to be equal
        std::vector<Piece> pieces;
        std::uint64_t hash = 0;
    };
    static bool has_form(const Form& form, const Batch& batch);
    // Fills in what is compared; false: the records may differ in more than these addresses.
    bool describe(Form& form) const;
    Found found(Form& form);
    void missed();

    const kernel::Kernel& kernel_;
    std::deque<Form> forms_;
    std::vector<std::uint32_t> places_;  // by hash: number + 1; 0: none
    std::size_t words_ = 0;              // of all forms
    Form* last_ = nullptr;               // that was found
    bool full_ = false;
    // Where little repeats, looking for it is left off for a while.
    std::int32_t credit_ = most_credit;
    std::uint32_t pause_ = 0;
    static constexpr std::int32_t most_credit = 1 << 14;
};

// Who takes batches by their form.
class FormObserver : public Observer {
  public:
    // The first batch of a form, which it has to take as any other, and a later one.
    virtual void begins_form(const Batch& batch, const BatchForm& form) = 0;
    virtual void has_form(const Batch& batch, const BatchForm& form) = 0;
    // Forms are numbered anew from here on.
    virtual void forget_forms() {}
    // Blocks that nobody has seen, but for those that are told apart from the others.
    virtual void moved(MovedBlocks& blocks) = 0;
};

// Finds the forms of batches for all that watch on one worker thread.
class FormFinder final : public Observer {
  public:
    FormFinder(const kernel::Kernel& kernel, std::vector<FormObserver*> observers)
        : forms_(kernel), observers_(std::move(observers)) {}
    Wants wants() const override { return profile_wants; }
    void records(const Batch& batch) override;
    void block_ended(std::uint64_t block) override {
        for (FormObserver* observer : observers_) observer->block_ended(block);
    }
    void launch_failed() override {
        for (FormObserver* observer : observers_) observer->launch_failed();
    }
    // When the launch has ended: before that, what was seen of forms is not all counted.
    void finish();

  private:
    BatchForms forms_;
    std::vector<FormObserver*> observers_;
};

}  // namespace lockstep::events

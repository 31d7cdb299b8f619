// An event that several processes record and wait for: how often it was recorded, and how many of these
// records their streams have reached, in memory that all of them see. Time is each process's own, so that
// these events have none, as CUDA's.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "session/shared-files.h"

namespace lockstep::session {

class SharedEvent {
  public:
    // Null: the system refuses it.
    static std::shared_ptr<SharedEvent> create();
    static std::shared_ptr<SharedEvent> open(OpenFile file);
    ~SharedEvent();
    SharedEvent(const SharedEvent&) = delete;
    SharedEvent& operator=(const SharedEvent&) = delete;

    int file() const { return file_.number(); }
    // A record is submitted: its number, which is later told to be reached.
    std::uint64_t record();
    void reached(std::uint64_t record);
    // The last record that was submitted; 0: none was.
    std::uint64_t last() const;
    bool is_reached(std::uint64_t record) const;
    // Waits; false where the process that made the last record has ended before its stream got there.
    bool wait_for(std::uint64_t record) const;

  private:
    struct Page {
        std::atomic<std::uint64_t> submitted, reached;
        std::atomic<std::int32_t> process;  // that submitted the last one
    };
    SharedEvent(OpenFile file, Page* page) : file_(std::move(file)), page_(page) {}
    static std::shared_ptr<SharedEvent> map(OpenFile file);

    const OpenFile file_;
    Page* const page_;
};

}  // namespace lockstep::session

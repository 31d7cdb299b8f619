#include "session/shared-events.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace lockstep::session {

std::shared_ptr<SharedEvent> SharedEvent::map(OpenFile file) {
    void* const page = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
    if (page == MAP_FAILED) return nullptr;
    return std::shared_ptr<SharedEvent>(new SharedEvent(std::move(file), static_cast<Page*>(page)));
}

// A new file is zero: nothing was recorded.
std::shared_ptr<SharedEvent> SharedEvent::create() {
    OpenFile file(memfd_create("lockstep event", MFD_CLOEXEC));
    if (!file || ftruncate(file.number(), sizeof(Page)) != 0) return nullptr;
    return map(std::move(file));
}

std::shared_ptr<SharedEvent> SharedEvent::open(OpenFile file) { return map(std::move(file)); }

SharedEvent::~SharedEvent() { munmap(page_, sizeof(Page)); }

std::uint64_t SharedEvent::record() {
    page_->process = getpid();
    return ++page_->submitted;
}

void SharedEvent::reached(std::uint64_t record) {
    std::uint64_t before = page_->reached;
    while (before < record && !page_->reached.compare_exchange_weak(before, record)) {
    }
}

std::uint64_t SharedEvent::last() const { return page_->submitted; }

bool SharedEvent::is_reached(std::uint64_t record) const { return page_->reached >= record; }

bool SharedEvent::wait_for(std::uint64_t record) const {
    using namespace std::chrono_literals;
    for (int turn = 0; !is_reached(record); ++turn) {
        const bool ended = kill(page_->process, 0) != 0 && errno == ESRCH;
        if (ended && !is_reached(record)) return false;
        std::this_thread::sleep_for(turn < 100 ? 50us : 1000us);
    }
    return true;
}

}  // namespace lockstep::session

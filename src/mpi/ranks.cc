// Ranks over MPI.
#include "sweep/ranks.h"

#include <mpi.h>

#include <chrono>
#include <list>
#include <map>
#include <thread>
#include <utility>

namespace lockstep::sweep {
namespace {

class MpiRanks : public Ranks {
  public:
    MpiRanks() {
        MPI_Init(nullptr, nullptr);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        // A rank that is gone must not take the others with it.
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    ~MpiRanks() override {
        if (abandoned_) return;
        for (Sent& sent : sent_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
        MPI_Finalize();
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    std::string machine() const override {
        char name[MPI_MAX_PROCESSOR_NAME];
        int length = 0;
        MPI_Get_processor_name(name, &length);
        return {name, static_cast<std::size_t>(length)};
    }
    void send(int to, const std::string& text) override {
        for (std::size_t begin = 0; begin == 0 || begin < text.size(); begin += piece) {
            const bool last = begin + piece >= text.size();
            Sent& sent = sent_.emplace_back(Sent{(last ? 'L' : 'M') + text.substr(begin, piece), {}});
            MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD,
                      &sent.request);
        }
        sent_.remove_if([](Sent& one) {
            int done = 0;
            return MPI_Test(&one.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done;
        });
    }
    Message receive() override {
        // MPI's own wait would keep a core busy that a point could use.
        for (;;) {
            if (auto message = poll()) return std::move(*message);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    std::optional<Message> poll() override {
        for (;;) {
            MPI_Status status;
            int there = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
            if (!there) return {};
            const std::string text = take(status);
            std::string& begun = begun_[status.MPI_SOURCE];
            if (!text.empty()) begun += text.substr(1);
            if (!text.starts_with('M')) return Message{status.MPI_SOURCE, std::exchange(begun, {})};
        }
    }
    void abandon() override { abandoned_ = true; }

  private:
    // So short that MPI sends it whole at once, and to receive it needs nothing more of a rank that may be
    // gone by then.
    static constexpr std::size_t piece = 2000;

    static std::string take(MPI_Status& status) {
        int size = 0;
        MPI_Get_count(&status, MPI_CHAR, &size);
        std::string text(static_cast<std::size_t>(size), '\0');
        MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return text;
    }
    std::map<int, std::string> begun_;  // by rank: pieces of a message whose last one has not come
    struct Sent {
        std::string text;
        MPI_Request request;
    };
    std::list<Sent> sent_;  // under way, as far as is known
    int rank_ = 0, size_ = 1;
    bool abandoned_ = false;
};

}  // namespace
}  // namespace lockstep::sweep

extern "C" __attribute__((visibility("default"))) lockstep::sweep::Ranks* lockstep_join_ranks() {
    return new lockstep::sweep::MpiRanks();
}

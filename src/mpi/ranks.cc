// Ranks over MPI.
#include "sweep/ranks.h"

#include <mpi.h>

#include <chrono>
#include <thread>

namespace lockstep::sweep {
namespace {

// An error of MPI ends all ranks, with MPI's own message: that is its default, and we leave it.
class MpiRanks : public Ranks {
  public:
    MpiRanks() {
        MPI_Init(nullptr, nullptr);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
    }
    ~MpiRanks() override { MPI_Finalize(); }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    std::string machine() const override {
        char name[MPI_MAX_PROCESSOR_NAME];
        int length = 0;
        MPI_Get_processor_name(name, &length);
        return {name, static_cast<std::size_t>(length)};
    }
    void send(int to, const std::string& text) override {
        MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
    }
    Message receive() override {
        // MPI's own wait would keep a core busy that a point could use.
        for (;;) {
            if (auto message = poll()) return std::move(*message);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    std::optional<Message> poll() override {
        MPI_Status status;
        int there = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        if (!there) return {};
        return take(status);
    }

  private:
    static Message take(MPI_Status& status) {
        int size = 0;
        MPI_Get_count(&status, MPI_CHAR, &size);
        Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
        MPI_Recv(message.text.data(), size, MPI_CHAR, message.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return message;
    }
    int rank_ = 0, size_ = 1;
};

}  // namespace
}  // namespace lockstep::sweep

extern "C" __attribute__((visibility("default"))) lockstep::sweep::Ranks* lockstep_join_ranks() {
    return new lockstep::sweep::MpiRanks();
}

// Who looks over the shoulder of the passes: told after each what there is then.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace lockstep::kernel {

class PassTap {
  public:
    // `text` is asked for only where somebody wants to see it.
    using Told = std::function<void(std::string_view pass, const std::function<std::string()>& text)>;
    PassTap() = default;
    explicit PassTap(Told told) : told_(std::move(told)) {}

    template <class Text>
    void after(std::string_view pass, const Text& text) const {
        if (told_) told_(pass, text);
    }

  private:
    Told told_;
};

}  // namespace lockstep::kernel

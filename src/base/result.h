// Errors are values with a place. `Result<T>` holds either a T or an Error; nothing in lockstep throws across a
// library boundary. (std::expected would do, but is C++23.)
#pragma once
#include <string>
#include <utility>
#include <variant>

namespace lockstep {

// Where in a text file something stands. Line and column count from 1; 0 means unknown.
struct Place {
    std::string file;
    int line = 0;
    int column = 0;

    std::string to_string() const;
    bool operator==(const Place&) const = default;
};

struct Error {
    std::string message;
    Place place;

    // "file:3:7: message", or just the message where there is no place.
    std::string to_string() const;
};

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() & { return std::get<0>(state_); }
    const T& operator*() const& { return std::get<0>(state_); }
    T&& operator*() && { return std::get<0>(std::move(state_)); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }
    const Error& error() const { return std::get<1>(state_); }

  private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), ok_(false) {}

    explicit operator bool() const { return ok_; }
    const Error& error() const { return error_; }

  private:
    Error error_;
    bool ok_ = true;
};

}  // namespace lockstep

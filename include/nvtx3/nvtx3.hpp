/* NVTX in C++: ranges that end with their scope, domains that are types, registered strings and categories
 * that are made once. C++11, host code. */
#ifndef LOCKSTEP_NVTX3_HPP
#define LOCKSTEP_NVTX3_HPP
#include <string>
#include <type_traits>
#include <utility>

#include "nvtx3/nvToolsExt.h"

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 0

namespace nvtx3 {
inline namespace v1 {

namespace lockstep {
/* A domain's type says its name: a character string or a wide one, as `name`. */
inline nvtxDomainHandle_t create_domain(const char* name) { return nvtxDomainCreateA(name); }
inline nvtxDomainHandle_t create_domain(const wchar_t* name) { return nvtxDomainCreateW(name); }
}  // namespace lockstep

class domain {
  public:
    /* The one without a name. */
    struct global {};

    domain(const domain&) = delete;
    domain& operator=(const domain&) = delete;

    template <class D = global>
    static const domain& get() noexcept {
        static const domain one(static_cast<D*>(nullptr));
        return one;
    }
    operator nvtxDomainHandle_t() const noexcept { return handle_; }

  private:
    explicit domain(global*) noexcept : handle_(nullptr) {}
    template <class D>
    explicit domain(D*) noexcept : handle_(lockstep::create_domain(D::name)) {}
    nvtxDomainHandle_t handle_;
};

struct rgb {
    using component_type = uint8_t;
    constexpr rgb(component_type r, component_type g, component_type b) noexcept
        : red(r), green(g), blue(b) {}
    component_type red, green, blue;
};
struct argb : rgb {
    constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept
        : rgb(r, g, b), alpha(a) {}
    component_type alpha;
};
class color {
  public:
    using value_type = uint32_t;
    constexpr explicit color(value_type hex) noexcept : value_(hex) {}
    constexpr color(argb c) noexcept
        : value_((value_type)c.alpha << 24 | (value_type)c.red << 16 | (value_type)c.green << 8 | c.blue) {}
    constexpr color(rgb c) noexcept : color(argb(0xff, c.red, c.green, c.blue)) {}
    constexpr value_type get_value() const noexcept { return value_; }
    constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

  private:
    value_type value_;
};

class category {
  public:
    using id_type = uint32_t;
    constexpr explicit category(id_type id) noexcept : id_(id) {}
    constexpr id_type get_id() const noexcept { return id_; }

  private:
    id_type id_;
};
template <class D = domain::global>
class named_category_in final : public category {
  public:
    named_category_in(id_type id, const char* name) noexcept : category(id) {
        nvtxDomainNameCategoryA(domain::get<D>(), id, name);
    }
    named_category_in(id_type id, const wchar_t* name) noexcept : category(id) {
        nvtxDomainNameCategoryW(domain::get<D>(), id, name);
    }
    /* One for each type that has a name and an id. */
    template <class C>
    static const named_category_in& get() noexcept {
        static const named_category_in one(C::id, C::name);
        return one;
    }
};
using named_category = named_category_in<>;

template <class D = domain::global>
class registered_string_in {
  public:
    explicit registered_string_in(const char* text) noexcept
        : handle_(nvtxDomainRegisterStringA(domain::get<D>(), text)) {}
    explicit registered_string_in(const wchar_t* text) noexcept
        : handle_(nvtxDomainRegisterStringW(domain::get<D>(), text)) {}
    explicit registered_string_in(const std::string& text) noexcept : registered_string_in(text.c_str()) {}
    explicit registered_string_in(const std::wstring& text) noexcept : registered_string_in(text.c_str()) {}
    template <class M>
    static const registered_string_in& get() noexcept {
        static const registered_string_in one(M::message);
        return one;
    }
    nvtxStringHandle_t get_handle() const noexcept { return handle_; }

  private:
    nvtxStringHandle_t handle_;
};
using registered_string = registered_string_in<>;

class message {
  public:
    using value_type = nvtxMessageValue_t;
    message(const char* text) noexcept : type_(NVTX_MESSAGE_TYPE_ASCII) { value_.ascii = text; }
    message(const wchar_t* text) noexcept : type_(NVTX_MESSAGE_TYPE_UNICODE) { value_.unicode = text; }
    message(const std::string& text) noexcept : message(text.c_str()) {}
    message(const std::wstring& text) noexcept : message(text.c_str()) {}
    message(std::string&&) = delete;
    message(std::wstring&&) = delete;
    template <class D>
    message(const registered_string_in<D>& text) noexcept : message(text.get_handle()) {}
    message(nvtxStringHandle_t handle) noexcept : type_(NVTX_MESSAGE_TYPE_REGISTERED) {
        value_.registered = handle;
    }
    message(nvtxMessageType_t type, const nvtxMessageValue_t& value) noexcept : type_(type), value_(value) {}
    value_type get_value() const noexcept { return value_; }
    nvtxMessageType_t get_type() const noexcept { return type_; }

  private:
    nvtxMessageType_t type_;
    nvtxMessageValue_t value_;
};

class payload {
  public:
    using value_type = decltype(nvtxEventAttributes_t::payload);
    explicit payload(int64_t v) noexcept : type_(NVTX_PAYLOAD_TYPE_INT64) { value_.llValue = v; }
    explicit payload(int32_t v) noexcept : type_(NVTX_PAYLOAD_TYPE_INT32) { value_.iValue = v; }
    explicit payload(uint64_t v) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) { value_.ullValue = v; }
    explicit payload(uint32_t v) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) { value_.uiValue = v; }
    explicit payload(float v) noexcept : type_(NVTX_PAYLOAD_TYPE_FLOAT) { value_.fValue = v; }
    explicit payload(double v) noexcept : type_(NVTX_PAYLOAD_TYPE_DOUBLE) { value_.dValue = v; }
    payload(nvtxPayloadType_t type, const value_type& value) noexcept : type_(type), value_(value) {}
    value_type get_value() const noexcept { return value_; }
    nvtxPayloadType_t get_type() const noexcept { return type_; }

  private:
    nvtxPayloadType_t type_;
    value_type value_;
};

/* Any of message, color, payload and category, in any order; the first of each counts. */
class event_attributes {
  public:
    using value_type = nvtxEventAttributes_t;
    event_attributes() noexcept : attributes_() {
        attributes_.version = NVTX_VERSION;
        attributes_.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    }
    explicit event_attributes(const value_type& attributes) noexcept : attributes_(attributes) {}
    template <class... A>
    explicit event_attributes(const category& c, const A&... rest) noexcept : event_attributes(rest...) {
        attributes_.category = c.get_id();
    }
    template <class... A>
    explicit event_attributes(const color& c, const A&... rest) noexcept : event_attributes(rest...) {
        attributes_.color = c.get_value();
        attributes_.colorType = c.get_type();
    }
    template <class... A>
    explicit event_attributes(const rgb& c, const A&... rest) noexcept
        : event_attributes(color(c), rest...) {}
    template <class... A>
    explicit event_attributes(const argb& c, const A&... rest) noexcept
        : event_attributes(color(c), rest...) {}
    template <class... A>
    explicit event_attributes(const payload& p, const A&... rest) noexcept : event_attributes(rest...) {
        attributes_.payload = p.get_value();
        attributes_.payloadType = p.get_type();
    }
    template <class... A>
    explicit event_attributes(const message& m, const A&... rest) noexcept : event_attributes(rest...) {
        attributes_.message = m.get_value();
        attributes_.messageType = m.get_type();
    }
    const value_type* get() const noexcept { return &attributes_; }

  private:
    value_type attributes_;
};

template <class D = domain::global>
class scoped_range_in {
  public:
    scoped_range_in() noexcept : scoped_range_in(event_attributes()) {}
    explicit scoped_range_in(const event_attributes& event) noexcept {
        nvtxDomainRangePushEx(domain::get<D>(), event.get());
    }
    template <
        class First, class... A,
        typename std::enable_if<!std::is_same<typename std::decay<First>::type, event_attributes>::value &&
                                    !std::is_same<typename std::decay<First>::type, scoped_range_in>::value,
                                int>::type = 0>
    explicit scoped_range_in(const First& first, const A&... rest) noexcept
        : scoped_range_in(event_attributes(first, rest...)) {}
    scoped_range_in(const scoped_range_in&) = delete;
    scoped_range_in& operator=(const scoped_range_in&) = delete;
    scoped_range_in(scoped_range_in&&) = delete;
    scoped_range_in& operator=(scoped_range_in&&) = delete;
    /* A scope in dynamic memory would end in another order than it began. */
    void* operator new(std::size_t) = delete;
    ~scoped_range_in() noexcept { nvtxDomainRangePop(domain::get<D>()); }
};
using scoped_range = scoped_range_in<>;
template <class D = domain::global>
using thread_range_in = scoped_range_in<D>;
using thread_range = scoped_range;

namespace lockstep {
template <class D>
class optional_range {
    bool active_ = false;

  public:
    optional_range() = default;
    optional_range(const optional_range&) = delete;
    optional_range& operator=(const optional_range&) = delete;
    void begin(const event_attributes& event) noexcept {
        nvtxDomainRangePushEx(domain::get<D>(), event.get());
        active_ = true;
    }
    ~optional_range() noexcept {
        if (active_) nvtxDomainRangePop(domain::get<D>());
    }
};
}  // namespace lockstep

class range_handle {
  public:
    using value_type = nvtxRangeId_t;
    constexpr range_handle() noexcept : id_(0) {}
    constexpr range_handle(std::nullptr_t) noexcept : id_(0) {}
    constexpr explicit range_handle(value_type id) noexcept : id_(id) {}
    constexpr explicit operator bool() const noexcept { return id_ != 0; }
    constexpr value_type get_value() const noexcept { return id_; }
    friend constexpr bool operator==(range_handle a, range_handle b) noexcept { return a.id_ == b.id_; }
    friend constexpr bool operator!=(range_handle a, range_handle b) noexcept { return a.id_ != b.id_; }

  private:
    value_type id_;
};

template <class D = domain::global>
inline range_handle start_range_in(const event_attributes& event) noexcept {
    return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), event.get()));
}
template <class D = domain::global, class... A>
inline range_handle start_range_in(const A&... a) noexcept {
    return start_range_in<D>(event_attributes(a...));
}
inline range_handle start_range(const event_attributes& event) noexcept { return start_range_in<>(event); }
template <class... A>
inline range_handle start_range(const A&... a) noexcept {
    return start_range_in<>(event_attributes(a...));
}
template <class D = domain::global>
inline void end_range_in(range_handle range) noexcept {
    nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept { end_range_in<>(range); }

template <class D = domain::global>
class unique_range_in {
  public:
    unique_range_in() noexcept : unique_range_in(event_attributes()) {}
    explicit unique_range_in(const event_attributes& event) noexcept : handle_(start_range_in<D>(event)) {}
    template <
        class First, class... A,
        typename std::enable_if<!std::is_same<typename std::decay<First>::type, event_attributes>::value &&
                                    !std::is_same<typename std::decay<First>::type, unique_range_in>::value,
                                int>::type = 0>
    explicit unique_range_in(const First& first, const A&... rest) noexcept
        : unique_range_in(event_attributes(first, rest...)) {}
    unique_range_in(unique_range_in&& o) noexcept : handle_(o.handle_) { o.handle_ = nullptr; }
    unique_range_in& operator=(unique_range_in&& o) noexcept {
        std::swap(handle_, o.handle_);
        return *this;
    }
    unique_range_in(const unique_range_in&) = delete;
    unique_range_in& operator=(const unique_range_in&) = delete;
    ~unique_range_in() noexcept {
        if (handle_) end_range_in<D>(handle_);
    }

  private:
    range_handle handle_;
};
using unique_range = unique_range_in<>;

template <class D = domain::global>
inline void mark_in(const event_attributes& event) noexcept {
    nvtxDomainMarkEx(domain::get<D>(), event.get());
}
template <class D = domain::global, class... A>
inline void mark_in(const A&... a) noexcept {
    mark_in<D>(event_attributes(a...));
}
inline void mark(const event_attributes& event) noexcept { mark_in<>(event); }
template <class... A>
inline void mark(const A&... a) noexcept {
    mark_in<>(event_attributes(a...));
}

}  // namespace v1
}  // namespace nvtx3

/* A range for the rest of the function, with its name, which is registered once. */
#define NVTX3_V1_FUNC_RANGE_IN(D)                                                                          \
    static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__{__func__};                         \
    static const ::nvtx3::v1::event_attributes nvtx3_func_attr__{::nvtx3::v1::message(nvtx3_func_name__)}; \
    const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__{nvtx3_func_attr__};
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C)                                                \
    ::nvtx3::v1::lockstep::optional_range<D> nvtx3_optional_range__;                   \
    if (C) {                                                                           \
        static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__{__func__}; \
        static const ::nvtx3::v1::event_attributes nvtx3_func_attr__{                  \
            ::nvtx3::v1::message(nvtx3_func_name__)};                                  \
        nvtx3_optional_range__.begin(nvtx3_func_attr__);                               \
    }
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(C) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, C)
#define NVTX3_FUNC_RANGE_IN(D) NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE_IF_IN(D, C) NVTX3_V1_FUNC_RANGE_IF_IN(D, C)
#define NVTX3_FUNC_RANGE() NVTX3_V1_FUNC_RANGE()
#define NVTX3_FUNC_RANGE_IF(C) NVTX3_V1_FUNC_RANGE_IF(C)

#endif

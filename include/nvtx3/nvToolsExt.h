/* NVTX: ranges and marks that a program names. They reach lockstep's runtime library, where one is linked and
 * a timeline is drawn; else every function does nothing, as NVTX without a tool. C and C++, host code. */
#ifndef LOCKSTEP_NVTX3_NVTOOLSEXT_H
#define LOCKSTEP_NVTX3_NVTOOLSEXT_H
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_API
#ifndef NVTX_DECLSPEC
#define NVTX_DECLSPEC
#endif
#ifndef NVTX_INLINE_STATIC
#define NVTX_INLINE_STATIC static inline __attribute__((unused))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration* nvtxStringHandle_t;
typedef struct nvtxResourceHandle nvtxResourceHandle_st;
typedef nvtxResourceHandle_st* nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef union nvtxMessageValue_t {
    const char* ascii;
    const wchar_t* unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef struct nvtxEventAttributes_v2 {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))

/* What tools may be told of resources; lockstep's timeline shows none of it. */
typedef enum nvtxResourceGenericType_t {
    NVTX_RESOURCE_TYPE_UNKNOWN = 0,
    NVTX_RESOURCE_TYPE_GENERIC_POINTER = 1,
    NVTX_RESOURCE_TYPE_GENERIC_HANDLE = 2,
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = 3,
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = 4
} nvtxResourceGenericType_t;
typedef struct nvtxResourceAttributes_v0 {
    uint16_t version;
    uint16_t size;
    int32_t identifierType;
    union identifier_t {
        const void* pValue;
        uint64_t ullValue;
    } identifier;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef struct nvtxResourceAttributes_v0 nvtxResourceAttributes_t;
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxResourceAttributes_v0)))

/* In the runtime library. Weak, so that a program that has no CUDA in it links, too. */
#define LOCKSTEP_NVTX __attribute__((weak, visibility("default")))
LOCKSTEP_NVTX int __lockstep_nvtx_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event);
LOCKSTEP_NVTX int __lockstep_nvtx_pop(nvtxDomainHandle_t domain);
LOCKSTEP_NVTX nvtxRangeId_t __lockstep_nvtx_start(nvtxDomainHandle_t domain,
                                                  const nvtxEventAttributes_t* event);
LOCKSTEP_NVTX void __lockstep_nvtx_end(nvtxRangeId_t range);
LOCKSTEP_NVTX void __lockstep_nvtx_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event);
LOCKSTEP_NVTX nvtxDomainHandle_t __lockstep_nvtx_domain(const char* name, const wchar_t* wide);
LOCKSTEP_NVTX nvtxStringHandle_t __lockstep_nvtx_string(nvtxDomainHandle_t domain, const char* text,
                                                        const wchar_t* wide);
LOCKSTEP_NVTX void __lockstep_nvtx_category(nvtxDomainHandle_t domain, uint32_t category, const char* name,
                                            const wchar_t* wide);
#undef LOCKSTEP_NVTX

#define LOCKSTEP_NVTX NVTX_INLINE_STATIC NVTX_DECLSPEC
static inline __attribute__((unused)) nvtxEventAttributes_t __lockstep_nvtx_named(const char* ascii,
                                                                                  const wchar_t* unicode) {
    nvtxEventAttributes_t event;
    __builtin_memset(&event, 0, sizeof event);
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = ascii ? NVTX_MESSAGE_TYPE_ASCII : NVTX_MESSAGE_TYPE_UNICODE;
    if (ascii)
        event.message.ascii = ascii;
    else
        event.message.unicode = unicode;
    return event;
}

LOCKSTEP_NVTX void nvtxInitialize(const void* reserved) { (void)reserved; }

LOCKSTEP_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
    if (__lockstep_nvtx_mark && event) __lockstep_nvtx_mark(domain, event);
}
LOCKSTEP_NVTX void nvtxMarkEx(const nvtxEventAttributes_t* event) { nvtxDomainMarkEx(NULL, event); }
LOCKSTEP_NVTX void nvtxMarkA(const char* message) {
    if (__lockstep_nvtx_mark) {
        nvtxEventAttributes_t event = __lockstep_nvtx_named(message, NULL);
        __lockstep_nvtx_mark(NULL, &event);
    }
}
LOCKSTEP_NVTX void nvtxMarkW(const wchar_t* message) {
    if (__lockstep_nvtx_mark) {
        nvtxEventAttributes_t event = __lockstep_nvtx_named(NULL, message);
        __lockstep_nvtx_mark(NULL, &event);
    }
}

LOCKSTEP_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                   const nvtxEventAttributes_t* event) {
    return __lockstep_nvtx_start && event ? __lockstep_nvtx_start(domain, event) : 0;
}
LOCKSTEP_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
    return nvtxDomainRangeStartEx(NULL, event);
}
LOCKSTEP_NVTX nvtxRangeId_t nvtxRangeStartA(const char* message) {
    if (!__lockstep_nvtx_start) return 0;
    nvtxEventAttributes_t event = __lockstep_nvtx_named(message, NULL);
    return __lockstep_nvtx_start(NULL, &event);
}
LOCKSTEP_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t* message) {
    if (!__lockstep_nvtx_start) return 0;
    nvtxEventAttributes_t event = __lockstep_nvtx_named(NULL, message);
    return __lockstep_nvtx_start(NULL, &event);
}
LOCKSTEP_NVTX void nvtxRangeEnd(nvtxRangeId_t id) {
    if (__lockstep_nvtx_end) __lockstep_nvtx_end(id);
}
LOCKSTEP_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id) {
    (void)domain;
    nvtxRangeEnd(id);
}

LOCKSTEP_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
    return __lockstep_nvtx_push && event ? __lockstep_nvtx_push(domain, event) : NVTX_NO_PUSH_POP_TRACKING;
}
LOCKSTEP_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t* event) {
    return nvtxDomainRangePushEx(NULL, event);
}
LOCKSTEP_NVTX int nvtxRangePushA(const char* message) {
    if (!__lockstep_nvtx_push) return NVTX_NO_PUSH_POP_TRACKING;
    nvtxEventAttributes_t event = __lockstep_nvtx_named(message, NULL);
    return __lockstep_nvtx_push(NULL, &event);
}
LOCKSTEP_NVTX int nvtxRangePushW(const wchar_t* message) {
    if (!__lockstep_nvtx_push) return NVTX_NO_PUSH_POP_TRACKING;
    nvtxEventAttributes_t event = __lockstep_nvtx_named(NULL, message);
    return __lockstep_nvtx_push(NULL, &event);
}
LOCKSTEP_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
    return __lockstep_nvtx_pop ? __lockstep_nvtx_pop(domain) : NVTX_NO_PUSH_POP_TRACKING;
}
LOCKSTEP_NVTX int nvtxRangePop(void) { return nvtxDomainRangePop(NULL); }

LOCKSTEP_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
    return __lockstep_nvtx_domain ? __lockstep_nvtx_domain(name, NULL) : NULL;
}
LOCKSTEP_NVTX nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t* name) {
    return __lockstep_nvtx_domain ? __lockstep_nvtx_domain(NULL, name) : NULL;
}
LOCKSTEP_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
LOCKSTEP_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* string) {
    return __lockstep_nvtx_string ? __lockstep_nvtx_string(domain, string, NULL) : NULL;
}
LOCKSTEP_NVTX nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t* string) {
    return __lockstep_nvtx_string ? __lockstep_nvtx_string(domain, NULL, string) : NULL;
}
LOCKSTEP_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char* name) {
    if (__lockstep_nvtx_category) __lockstep_nvtx_category(domain, category, name, NULL);
}
LOCKSTEP_NVTX void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category,
                                           const wchar_t* name) {
    if (__lockstep_nvtx_category) __lockstep_nvtx_category(domain, category, NULL, name);
}
LOCKSTEP_NVTX void nvtxNameCategoryA(uint32_t category, const char* name) {
    nvtxDomainNameCategoryA(NULL, category, name);
}
LOCKSTEP_NVTX void nvtxNameCategoryW(uint32_t category, const wchar_t* name) {
    nvtxDomainNameCategoryW(NULL, category, name);
}

LOCKSTEP_NVTX void nvtxNameOsThreadA(uint32_t thread, const char* name) {
    (void)thread;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameOsThreadW(uint32_t thread, const wchar_t* name) {
    (void)thread;
    (void)name;
}
LOCKSTEP_NVTX nvtxResourceHandle_t nvtxDomainResourceCreate(nvtxDomainHandle_t domain,
                                                            nvtxResourceAttributes_t* attributes) {
    (void)domain;
    (void)attributes;
    return NULL;
}
LOCKSTEP_NVTX void nvtxDomainResourceDestroy(nvtxResourceHandle_t resource) { (void)resource; }
#undef LOCKSTEP_NVTX

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#endif

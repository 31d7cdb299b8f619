// lockstep nvidia-smi: nvidia-smi's command line, for scripts that ask it which GPU there is. What a
// simulated GPU does not have is [N/A].
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <ctime>
#include <optional>
#include <sstream>

#include "cli/command.h"
#include "cli/models.h"
#include "cli/profiled-run.h"
#include "cli/tool-options.h"
#include "cli/write-output.h"
#include "compile/toolkit.h"
#include "compile/version.h"
#include "gpu/uuid.h"

namespace lockstep::cli {
namespace nvidia_smi_command {

enum class Action { list, query, query_gpu, help_query_gpu, format, id, gpu, set, help, version };

constexpr int act(Action action) { return static_cast<int>(action); }

constexpr const char* nothing_changes = "a simulated GPU has no state that changes";
constexpr const char* own_gpu = "each program has a simulated GPU of its own, for as long as it runs";
constexpr const char* no_driver = "there is no driver to set anything in";

constexpr std::array options = {
    ToolOption{"list-gpus", "L", false, act(Action::list), "a line a GPU"},
    ToolOption{"query", "q", false, act(Action::query), "what is known of it"},
    ToolOption{"query-gpu", "", true, act(Action::query_gpu),
               "these fields, separated by commas; needs --format"},
    ToolOption{"help-query-gpu", "", false, act(Action::help_query_gpu), "the fields"},
    ToolOption{"format", "", true, act(Action::format), "csv, with noheader and nounits if wanted"},
    ToolOption{"id", "i", true, act(Action::id), "0, or its UUID: there is one"},
    ToolOption{"gpu", "", true, act(Action::gpu), "lockstep's own: the GPU model (see lockstep gpus)"},
    ToolOption{"set", "", true, act(Action::set), "lockstep's own: one figure of the GPU, for example sms=8"},
    ToolOption{"help", "h", false, act(Action::help), "this text"},
    ToolOption{"version", "", false, act(Action::version), "the version of lockstep"},
    ToolOption{"loop", "l", true, 0, "", nothing_changes},
    ToolOption{"loop-ms", "lms", true, 0, "", nothing_changes},
    ToolOption{"query-compute-apps", "", true, 0, "", own_gpu},
    ToolOption{"query-accounted-apps", "", true, 0, "", own_gpu},
    ToolOption{"persistence-mode", "pm", true, 0, "", no_driver},
    ToolOption{"compute-mode", "c", true, 0, "", no_driver},
    ToolOption{"power-limit", "pl", true, 0, "", no_driver},
    ToolOption{"applications-clocks", "ac", true, 0, "", no_driver},
    ToolOption{"lock-gpu-clocks", "lgc", true, 0, "", no_driver},
    ToolOption{"reset-gpu-clocks", "rgc", false, 0, "", no_driver},
    ToolOption{"lock-memory-clocks", "lmc", true, 0, "", no_driver},
    ToolOption{"gpu-reset", "r", false, 0, "", no_driver},
    ToolOption{"multi-instance-gpu", "mig", true, 0, "", no_driver},
    ToolOption{"display", "d", true, 0, "", "-q shows all that is known"},
    ToolOption{"xml-format", "x", false, 0, "", "take --query-gpu, or lockstep gpus --json"},
    ToolOption{"filename", "f", true, 0, "", "redirect the output"},
};

struct Request {
    bool list = false, query = false;
    std::string fields, format, id, gpu;
    std::vector<std::string> settings;
};

struct Field {
    std::vector<std::string> names;
    std::string unit;  // in brackets behind the name
    std::string (*value)(const gpu::GpuModel&);
};

std::string uuid(const gpu::GpuModel& model) {
    std::string text = "GPU-";
    const auto bytes = gpu::uuid_of(model, 0);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                            static_cast<unsigned char>(bytes[i]));
    return text;
}

std::string driver() { return fmt::format("lockstep {}", compile::version()); }

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20); }

const std::vector<Field>& known_fields() {
    using gpu::GpuModel;
    static const std::vector<Field> fields = {
        {{"index"}, "", [](const GpuModel&) -> std::string { return "0"; }},
        {{"count"}, "", [](const GpuModel&) -> std::string { return "1"; }},
        {{"name", "gpu_name"}, "", [](const GpuModel& gpu) { return gpu.name; }},
        {{"uuid", "gpu_uuid"}, "", [](const GpuModel& gpu) { return uuid(gpu); }},
        {{"driver_version"}, "", [](const GpuModel&) { return driver(); }},
        {{"compute_cap"}, "", [](const GpuModel& gpu) { return gpu.compute_name(); }},
        {{"memory.total"}, "MiB", [](const GpuModel& gpu) { return mebibytes(gpu.memory_bytes); }},
        // Every program finds all of it free.
        {{"memory.free"}, "MiB", [](const GpuModel& gpu) { return mebibytes(gpu.memory_bytes); }},
        {{"memory.used"}, "MiB", [](const GpuModel&) -> std::string { return "0"; }},
        {{"memory.reserved"}, "MiB", [](const GpuModel&) -> std::string { return "0"; }},
        {{"clocks.max.sm", "clocks.max.graphics", "clocks.max.gr"},
         "MHz",
         [](const GpuModel& gpu) { return std::to_string(gpu.clock_mhz); }},
        {{"clocks.max.memory", "clocks.max.mem"},
         "MHz",
         [](const GpuModel& gpu) { return std::to_string(gpu.memory_clock_mhz); }},
        {{"ecc.mode.current"},
         "",
         [](const GpuModel& gpu) -> std::string { return gpu.ecc ? "Enabled" : "Disabled"; }},
        {{"compute_mode"}, "", [](const GpuModel&) -> std::string { return "Default"; }},
        {{"timestamp"},
         "",
         [](const GpuModel&) {
             return fmt::format("{:%Y/%m/%d %H:%M:%S}.000", fmt::localtime(std::time(nullptr)));
         }},
    };
    return fields;
}

// Of a card, a driver or a host: nvidia-smi has them, a simulated GPU does not.
constexpr std::array without_value = {
    "serial",
    "gpu_serial",
    "pci.bus_id",
    "gpu_bus_id",
    "pci.bus",
    "pci.device",
    "pci.domain",
    "pci.device_id",
    "pci.sub_device_id",
    "pcie.link.gen.current",
    "pcie.link.gen.max",
    "pcie.link.width.current",
    "pcie.link.width.max",
    "vbios_version",
    "inforom.img",
    "inforom.oem",
    "inforom.ecc",
    "display_mode",
    "display_active",
    "persistence_mode",
    "accounting.mode",
    "driver_model.current",
    "gom.current",
    "gom.pending",
    "fan.speed",
    "pstate",
    "utilization.gpu",
    "utilization.memory",
    "utilization.encoder",
    "utilization.decoder",
    "encoder.stats.sessionCount",
    "temperature.gpu",
    "temperature.memory",
    "temperature.gpu.tlimit",
    "power.management",
    "power.draw",
    "power.draw.average",
    "power.draw.instant",
    "power.limit",
    "enforced.power.limit",
    "power.default_limit",
    "power.min_limit",
    "power.max_limit",
    "clocks.current.graphics",
    "clocks.gr",
    "clocks.graphics",
    "clocks.current.sm",
    "clocks.sm",
    "clocks.current.memory",
    "clocks.mem",
    "clocks.memory",
    "clocks.current.video",
    "clocks.video",
    "clocks.applications.graphics",
    "clocks.applications.gr",
    "clocks.applications.memory",
    "clocks.applications.mem",
    "clocks.default_applications.graphics",
    "clocks.default_applications.memory",
    "clocks_throttle_reasons.active",
    "clocks_throttle_reasons.supported",
    "clocks_event_reasons.active",
    "clocks_event_reasons.supported",
    "ecc.mode.pending",
    "ecc.errors.corrected.volatile.total",
    "ecc.errors.uncorrected.volatile.total",
    "ecc.errors.corrected.aggregate.total",
    "ecc.errors.uncorrected.aggregate.total",
    "retired_pages.pending",
    "mig.mode.current",
    "mig.mode.pending",
    "addressing_mode",
    "gsp.mode.current",
    "board_id",
    "module_id",
    "protected_memory.total",
};

constexpr const char* no_value = "[N/A]";

const Field* find_field(const std::string& name) {
    for (const Field& field : known_fields())
        for (const std::string& one : field.names)
            if (one == name) return &field;
    return nullptr;
}

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts;
    std::istringstream in(list);
    for (std::string part; std::getline(in, part, ',');) {
        const std::size_t begin = part.find_first_not_of(' '), end = part.find_last_not_of(' ');
        if (begin != std::string::npos) parts.push_back(part.substr(begin, end - begin + 1));
    }
    return parts;
}

int print_fields(const Request& request, const gpu::GpuModel& model) {
    bool csv = false, header = true, units = true;
    for (const std::string& word : split(request.format)) {
        csv |= word == "csv";
        header &= word != "noheader";
        units &= word != "nounits";
        if (word != "csv" && word != "noheader" && word != "nounits")
            return fail(
                fmt::format("nvidia-smi: --format={}: known are csv, noheader and nounits", request.format),
                2);
    }
    if (!csv) return fail("nvidia-smi: --query-gpu needs --format=csv", 2);
    std::vector<std::string> names, values;
    for (const std::string& name : split(request.fields)) {
        const Field* field = find_field(name);
        if (!field && std::find(without_value.begin(), without_value.end(), name) == without_value.end()) {
            fmt::print("Field \"{}\" is not a valid field to query.\n\n", name);
            return 2;
        }
        const std::string unit = field ? field->unit : "";
        names.push_back(unit.empty() || !units ? name : fmt::format("{} [{}]", name, unit));
        values.push_back(!field                   ? no_value
                         : unit.empty() || !units ? field->value(model)
                                                  : field->value(model) + " " + unit);
    }
    if (names.empty()) return fail("nvidia-smi: --query-gpu names no field", 2);
    if (header) fmt::print("{}\n", fmt::join(names, ", "));
    fmt::print("{}\n", fmt::join(values, ", "));
    return 0;
}

void print_known(const gpu::GpuModel& model) {
    const auto line = [](int depth, const std::string& name, const std::string& value) {
        fmt::print("{:{}}{:<{}}: {}\n", "", 4 * depth, name, 50 - 4 * depth, value);
    };
    fmt::print("\n==============NVSMI LOG==============\n\n");
    line(0, "Timestamp", fmt::format("{:%a %b %e %H:%M:%S %Y}", fmt::localtime(std::time(nullptr))));
    line(0, "Driver Version", driver());
    line(0, "CUDA Version", compile::cuda_release);
    fmt::print("\n");
    line(0, "Attached GPUs", "1");
    fmt::print("GPU 0, simulated\n");
    line(1, "Product Name", model.full_name());
    line(1, "Product Architecture", model.architecture);
    line(1, "GPU UUID", uuid(model));
    fmt::print("    FB Memory Usage\n");
    line(2, "Total", mebibytes(model.memory_bytes) + " MiB");
    line(2, "Used", "0 MiB");
    line(2, "Free", mebibytes(model.memory_bytes) + " MiB");
    fmt::print("    Max Clocks\n");
    line(2, "SM", fmt::format("{} MHz", model.clock_mhz));
    line(2, "Memory", fmt::format("{} MHz", model.memory_clock_mhz));
    fmt::print("    ECC Mode\n");
    line(2, "Current", model.ecc ? "Enabled" : "Disabled");
    line(1, "Processes", "None");
}

void print_table(const gpu::GpuModel& model) {
    const std::string memory = fmt::format("0MiB / {}MiB", mebibytes(model.memory_bytes));
    const std::string rule =
        "+-----------------------------------------+------------------------+----------------------+\n";
    const std::string whole(89, '-');
    fmt::print("{:%a %b %e %H:%M:%S %Y}\n", fmt::localtime(std::time(nullptr)));
    fmt::print("+{}+\n", whole);
    fmt::print("| {:<29} Driver Version: {:<19} CUDA Version: {:<7} |\n",
               fmt::format("LOCKSTEP-SMI {}", compile::version()), driver(), compile::cuda_release);
    fmt::print("|{}", rule.substr(1));
    fmt::print(
        "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n");
    fmt::print(
        "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n");
    fmt::print(
        "|                                         |                        |               MIG M. |\n");
    fmt::print(
        "|=========================================+========================+======================|\n");
    fmt::print("|   0  {:<30.30}N/A  | N/A                N/A |                  N/A |\n", model.name);
    fmt::print("| N/A   N/A    N/A              N/A / N/A | {:>22} |      N/A         N/A |\n", memory);
    fmt::print(
        "|                                         |                        |                  N/A |\n");
    fmt::print("{}\n", rule);
    fmt::print("+{}+\n| {:<87} |\n|{}|\n| {:<87} |\n+{}+\n", whole, "Processes:", std::string(89, '='),
               fmt::format("The GPU is simulated: each program has one of its own, for as long as it runs"),
               whole);
}

std::string help() {
    return "lockstep nvidia-smi [OPTIONS]\n\n"
           "Tells of the simulated GPU what nvidia-smi tells of a real one. Without an option: its "
           "table.\n\n" +
           ToolOptions("nvidia-smi", options).help() +
           "\nExample:\n  lockstep nvidia-smi --query-gpu=name,memory.total,compute_cap "
           "--format=csv,noheader\n";
}

int print_field_names() {
    for (const Field& field : known_fields()) fmt::print("\"{}\"\n", fmt::join(field.names, "\" or \""));
    fmt::print("\nWithout a value ({}) for a simulated GPU:\n", no_value);
    for (const char* name : without_value) fmt::print("\"{}\"\n", name);
    return 0;
}

std::optional<int> apply(const ToolOption& option, const std::string& value, Request& request) {
    switch (static_cast<Action>(option.action)) {
        case Action::list: request.list = true; break;
        case Action::query: request.query = true; break;
        case Action::query_gpu: request.fields = value; break;
        case Action::help_query_gpu: return print_field_names();
        case Action::format: request.format = value; break;
        case Action::id: request.id = value; break;
        case Action::gpu:
            if (const std::string wrong = gpu_name(value); !wrong.empty())
                return fail("nvidia-smi: --gpu: " + wrong, 2);
            request.gpu = value;
            break;
        case Action::set: request.settings.push_back(value); break;
        case Action::help: return write_output("-", help());
        case Action::version:
            return write_output("-", fmt::format("LOCKSTEP-SMI version  : {0}\nDRIVER version        : {1}\n"
                                                 "CUDA Version          : {2}\n",
                                                 compile::version(), driver(), compile::cuda_release));
    }
    return {};
}

}  // namespace nvidia_smi_command

int nvidia_smi_main(const std::vector<std::string>& arguments) {
    using namespace nvidia_smi_command;
    Request request;
    std::vector<std::string> rest;
    const auto ended = ToolOptions("nvidia-smi", options)
                           .parse_all(
                               arguments,
                               [&](const ToolOption& option, const std::string& value) {
                                   return apply(option, value, request);
                               },
                               rest);
    if (ended) return *ended;
    if (!rest.empty())
        return fail(fmt::format("nvidia-smi: {} is not supported: {}", rest.front(), no_driver), 2);
    auto model = chosen_model(request.gpu, request.settings);
    if (!model) return fail(model.error().to_string());
    if (!request.id.empty() && request.id != "0" && request.id != uuid(*model)) {
        fmt::print("No devices were found\n");
        return 6;
    }
    if (!request.fields.empty()) return print_fields(request, *model);
    if (!request.format.empty()) return fail("nvidia-smi: --format goes with --query-gpu", 2);
    if (request.list)
        fmt::print("GPU 0: {} (UUID: {})\n", model->name, uuid(*model));
    else if (request.query)
        print_known(*model);
    else
        print_table(*model);
    return 0;
}

void add_nvidia_smi(CommandLine& line) {
    using namespace nvidia_smi_command;
    line.add_command("nvidia-smi", "Tell of the simulated GPU as nvidia-smi does: takes its options");
}

}  // namespace lockstep::cli

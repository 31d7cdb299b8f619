// All kernels of a run.
import {append, bar, card, el, note, scroller} from "./dom.js";
import {bytes, count, duration, percent, shape} from "./format.js";
import {boundText, boundTip, data, mainBound, metricTip, time, value} from "./data.js";
import {go, run, state} from "./state.js";
import {filterBox, table} from "./table.js";
import {roofline} from "./kernel.js";
import {programCard, stepsCard} from "./findings.js";

const names = {
    occupancy: "sm__warps_active.avg.pct_of_peak_sustained_active",
    loads: "gld_efficiency",
    stores: "gst_efficiency",
    lanes: "smsp__thread_inst_executed_per_inst_executed.ratio",
    dram: "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    sm: "sm__throughput.avg.pct_of_peak_sustained_elapsed",
};

function metricColumn(label, name, show, scale) {
    return {
        label,
        tip: metricTip(name) || "Nothing in this run has it.",
        right: true,
        sort: kernel => value(kernel, name),
        cell: kernel =>
            scale && value(kernel, name) !== null
                ? bar(value(kernel, name) / scale, show(value(kernel, name)))
                : show(value(kernel, name)),
    };
}

export function kernelColumns() {
    return [
        {
            label: "Kernel",
            tip: "The function that was launched.",
            right: false,
            sort: kernel => kernel.function,
            class: "name",
            cell: kernel =>
                el(
                    "a",
                    {
                        href: `#/view=kernel&run=${state.run}&kernel=${run().kernels.indexOf(kernel)}`,
                        "data-tip": kernel.name,
                    },
                    kernel.function,
                ),
        },
        {
            label: "Time",
            tip: `${metricTip(time)} Sum over its launches.`,
            right: true,
            sort: kernel => kernel.time,
            cell: kernel => duration(kernel.time),
        },
        {
            label: "Share",
            tip: "Its share of the time of all kernels.",
            right: true,
            sort: kernel => kernel.share,
            cell: kernel => bar(kernel.share, percent(kernel.share * 100)),
        },
        {
            label: "Launches",
            tip: "How often it was launched.",
            right: true,
            sort: kernel => kernel.launches,
            cell: kernel => count(kernel.launches),
        },
        {
            label: "Grid",
            tip: "Blocks of its longest launch.",
            right: true,
            sort: kernel => (kernel.longest ? kernel.longest.grid.reduce((a, b) => a * b) : null),
            cell: kernel => (kernel.longest ? shape(kernel.longest.grid) : "–"),
        },
        {
            label: "Block",
            tip: "Threads of a block of its longest launch.",
            right: true,
            sort: kernel => (kernel.longest ? kernel.longest.block.reduce((a, b) => a * b) : null),
            cell: kernel => (kernel.longest ? shape(kernel.longest.block) : "–"),
        },
        {
            label: "Bound by",
            tip: "What the timing model says the time of its launches depends on.",
            right: false,
            sort: kernel => boundText(mainBound(kernel)),
            cell: kernel =>
                el("span", {"data-tip": boundTip(mainBound(kernel))}, boundText(mainBound(kernel))),
        },
        metricColumn("Occupancy", names.occupancy, v => percent(v, 0), 100),
        metricColumn("SM", names.sm, v => percent(v, 0), 100),
        metricColumn("DRAM", names.dram, v => percent(v, 0), 100),
        metricColumn("Loads", names.loads, v => percent(v, 0), 100),
        metricColumn("Stores", names.stores, v => percent(v, 0), 100),
        metricColumn("Lanes", names.lanes, v => (v === null ? "–" : v.toFixed(1))),
        {
            label: "First finding",
            tip: "The most expensive of lockstep explain's findings, and the share of the kernel's time that it costs.",
            right: false,
            sort: kernel => (kernel.findings && kernel.findings.length ? kernel.findings[0].cost : null),
            class: "wide",
            cell: kernel =>
                kernel.findings && kernel.findings.length
                    ? `${percent(kernel.findings[0].cost * 100, 0)} ${kernel.findings[0].title}`
                    : "–",
        },
    ];
}

function figure(label, text, tip) {
    return el(
        "div",
        {class: "figure", tabindex: tip ? 0 : undefined, "data-tip": tip},
        el("b", {}, text),
        el("span", {}, label),
    );
}

export function overview(view) {
    const of = run(),
        kernels = of.kernels;
    const total = kernels.reduce((sum, kernel) => sum + (kernel.time || 0), 0);
    const launches = kernels.reduce((sum, kernel) => sum + kernel.launches, 0);
    const device = of.devices[0];
    append(view, [
        of.failures.map(failure =>
            el(
                "p",
                {class: "warning"},
                `${failure.kernel || "A kernel"}: ${count(failure.launches)} failed: ${failure.reason}`,
            ),
        ),
        of.notes.map(text => el("p", {class: "warning"}, text)),
        el(
            "div",
            {class: "figures"},
            figure("predicted, all kernels", duration(total), `Sum over all launches of ${metricTip(time)}`),
            figure(
                kernels.length === 1 ? "kernel" : "kernels",
                count(kernels.length),
                "Functions that were launched and profiled.",
            ),
            figure(
                launches === 1 ? "launch" : "launches",
                count(launches),
                "How often kernels were launched.",
            ),
            device && device.model
                ? figure("SMs", count(device.model.sms), `${device.name}: its multiprocessors.`)
                : null,
            device && device.model
                ? figure(
                      "device memory",
                      `${bytes(device.model.dram_bytes_s)}/s`,
                      `${device.name}: peak bandwidth of its memory.`,
                  )
                : null,
        ),
    ]);
    const rows = table(kernelColumns(), kernels, {
        caption: "Kernels of this run",
        class: "kernels",
        order: [1, true],
        choose: kernel => go({view: "kernel", kernel: kernels.indexOf(kernel)}),
    });
    const text = kernel =>
        `${kernel.name} ${boundText(mainBound(kernel))} ${(kernel.findings || []).map(finding => `${finding.id} ${finding.title}`).join(" ")}`;
    append(view, [
        card(
            "Kernels",
            "A row a kernel, over all its launches. Heads sort; a row opens its kernel.",
            filterBox("Filter: name, bound, finding", kernels.length, test =>
                rows.filter(kernel => test(text(kernel))),
            ),
            scroller("Table of kernels", rows.node),
        ),
    ]);
    if (kernels.some(kernel => value(kernel, "dram__bytes.sum")))
        append(view, [roofline(of, kernels.slice(0, 200), null)]);
    append(view, [programCard(of), stepsCard(of)]);
    if (data.runs.length > 1)
        append(view, [
            note(
                "This page has several runs: choose one above, or see them beside each other under Compare.",
            ),
        ]);
}

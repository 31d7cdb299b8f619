// One kernel: how close to what the GPU can do, what its warps wait for, what limits its occupancy.
import {append, bar, card, choice, el, note, scroller} from "./dom.js";
import {bytes, count, duration, fixed, percent, shape, withUnit} from "./format.js";
import {boundText, data, metric, metricTip, modelOf, spread, stateColors, states, value} from "./data.js";
import {go, kernel, run} from "./state.js";
import {axis, plot, powers, themeColor} from "./chart.js";
import {hideTip, showTipAt} from "./tips.js";
import {findingsCard} from "./findings.js";
import {table} from "./table.js";
import {trafficCard} from "./traffic.js";

function meter(label, name, of) {
    const share = value(of, name);
    if (share === null) return null;
    return el(
        "div",
        {class: "meter"},
        el("span", {class: "meter-label", tabindex: 0, "data-tip": metricTip(name)}, label),
        bar(share / 100, percent(share)),
    );
}

function speedOfLight(of) {
    const meters = [
        ["SM", "sm__throughput.avg.pct_of_peak_sustained_elapsed"],
        ["L1", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"],
        ["L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"],
        ["Device memory", "dram__throughput.avg.pct_of_peak_sustained_elapsed"],
        ["Issue slots", "issue_slot_utilization"],
        ["SMs with work", "sm_efficiency"],
    ]
        .map(([label, name]) => meter(label, name, of))
        .filter(Boolean);
    if (!meters.length) return null;
    return card(
        "Speed of light",
        "How much of what each part of the GPU can do this kernel uses, in all its cycles. Where one is near 100 %, that is the limit.",
        ...meters,
    );
}

function stalls(of) {
    const total = of.cycles.reduce((sum, n) => sum + n, 0);
    if (!total) return null;
    const order = states
        .map((one, index) => ({...one, index, cycles: of.cycles[index]}))
        .filter(one => one.cycles)
        .sort((a, b) => b.cycles - a.cycles);
    const tip = one =>
        `${one.name}: cycles in which an active warp is ${one.text} / cycles of active warps (predicted).`;
    return card(
        "What warps do",
        "Cycles of active warps by what they do in them, over all launches (predicted). Only selected issues an instruction.",
        el(
            "div",
            {
                class: "stack",
                role: "img",
                "aria-label": order
                    .map(one => `${one.text} ${percent((one.cycles / total) * 100, 0)}`)
                    .join(", "),
            },
            order.map(one =>
                el("span", {
                    style: {width: `${(one.cycles / total) * 100}%`, background: stateColors[one.index]},
                    "data-tip": `${percent((one.cycles / total) * 100)} ${tip(one)}`,
                }),
            ),
        ),
        order.map(one =>
            el(
                "div",
                {class: "meter"},
                el(
                    "span",
                    {class: "meter-label", tabindex: 0, "data-tip": tip(one)},
                    el("i", {class: "dot", style: {background: stateColors[one.index]}}),
                    one.text,
                ),
                bar(one.cycles / total, percent((one.cycles / total) * 100), stateColors[one.index]),
            ),
        ),
    );
}

function occupancy(of) {
    const threads = value(of, "launch__block_size"),
        model = modelOf(run(), of);
    const limits = [
        ["warps", "launch__occupancy_limit_warps"],
        ["registers", "launch__occupancy_limit_registers"],
        ["shared memory", "launch__occupancy_limit_shared_mem"],
        ["blocks", "launch__occupancy_limit_blocks"],
    ]
        .map(([label, name]) => ({label, name, blocks: value(of, name)}))
        .filter(one => one.blocks !== null);
    if (!limits.length || !threads) return null;
    const warp = model ? model.warp : 32,
        warps = Math.ceil(threads / warp),
        most = model ? model.max_warps : Math.max(...limits.map(one => one.blocks)) * warps;
    const least = Math.min(...limits.map(one => one.blocks));
    const node = card("Occupancy", "How many blocks an SM holds at once, and what stops the next one.");
    append(node, [
        meter("Theoretical", "theoretical_occupancy", of),
        meter("Achieved", "sm__warps_active.avg.pct_of_peak_sustained_active", of),
    ]);
    append(node, [
        limits.map(one =>
            el(
                "div",
                {class: `meter${one.blocks === least ? " limiting" : ""}`},
                el(
                    "span",
                    {class: "meter-label", tabindex: 0, "data-tip": metricTip(one.name)},
                    `by ${one.label}`,
                ),
                bar(
                    Math.min(1, (one.blocks * warps) / most),
                    `${count(one.blocks)} blocks${one.blocks === least ? ": the limit" : ""}`,
                ),
            ),
        ),
    ]);
    const registers = value(of, "launch__registers_per_thread"),
        shared = value(of, "launch__shared_mem_per_block_allocated");
    append(node, [
        note(
            `${count(threads)} threads are ${count(warps)} ${warps === 1 ? "warp" : "warps"} a block`,
            registers === null ? "" : `; ${count(registers)} registers a thread`,
            shared ? `; ${bytes(shared)} of shared memory a block` : "",
            `. An SM holds ${count(Math.min(most, least * warps))} of ${count(most)} warps.`,
        ),
    ]);
    return node;
}

// Operations a second against operations a byte of device memory. Kernels without floats are shown by their instructions.
export function roofline(of, kernels, chosen) {
    const model = chosen ? modelOf(of, chosen) : of.devices[0] && of.devices[0].model;
    const flops = kernel => (value(kernel, "flop_count_sp") || 0) + (value(kernel, "flop_count_dp") || 0);
    const instructions = kernel => value(kernel, "smsp__inst_executed.sum") || 0;
    const points = work =>
        kernels
            .map(kernel => {
                const moved = value(kernel, "dram__bytes.sum"),
                    took = value(kernel, "gpu__time_duration.sum");
                return moved && took && work(kernel)
                    ? {kernel, x: work(kernel) / moved, y: (work(kernel) / took) * 1e9}
                    : null;
            })
            .filter(Boolean)
            .sort((a, b) => a.x - b.x);
    const kinds = [
        ["instructions", "warp instructions", instructions, model && model.issue_s, "inst"],
        ["floats", "floating point", flops, model && model.fp32_s, "FLOP"],
    ].filter(([, , work]) => points(work).length);
    if (!model || !model.issue_s || !kinds.length) return null;
    const first =
        (chosen ? flops(chosen) : kernels.some(flops)) && kinds.find(([id]) => id === "floats")
            ? "floats"
            : kinds[0][0];
    const node = card(
        "Roofline",
        "Work a second against work for each byte of device memory: under the slope, memory is the limit; under the flat roof, the SMs are. Predicted times.",
    );
    const place = el("div");
    const draw = id =>
        place.replaceChildren(
            rooflinePlot(
                kinds.find(one => one[0] === id),
                points(kinds.find(one => one[0] === id)[2]),
                model,
                chosen,
            ),
        );
    if (kinds.length > 1)
        node.append(
            choice(
                "Work counted as",
                kinds.map(([id, text]) => [id, text]),
                first,
                draw,
            ),
        );
    node.append(place);
    draw(first);
    return node;
}

function rooflinePlot([, name, , peak, unit], points, model, chosen) {
    const slope = model.dram_bytes_s,
        knee = peak / slope;
    const low = 10 ** Math.floor(Math.log10(Math.min(points[0].x, knee) / 3)),
        high = 10 ** Math.ceil(Math.log10(Math.max(points.at(-1).x, knee) * 3));
    const xs = [...new Set([low, knee, high, ...points.map(point => point.x)])].sort((a, b) => a - b);
    const roof = xs.map(x => Math.min(peak, x * slope));
    const bottom =
        10 ** Math.floor(Math.log10(Math.min(...points.map(point => point.y), low * slope * 3) / 1.5));
    const ys = xs.map(x => {
        const at = points.find(point => point.x === x);
        return at ? at.y : null;
    });
    const near = plot => {
        const {left, top} = plot.cursor;
        let best = null,
            distance = 24;
        for (const point of points) {
            const away = Math.hypot(plot.valToPos(point.x, "x") - left, plot.valToPos(point.y, "y") - top);
            if (away < distance) ((distance = away), (best = point));
        }
        return best;
    };
    const text =
        `Roofline. The peak is ${fixed(peak / 1e9)} G${unit}/s, device memory ${bytes(slope)}/s. ` +
        points
            .slice(0, 20)
            .map(
                point =>
                    `${point.kernel.function}: ${fixed(point.x)} ${unit}/byte, ${fixed(point.y / 1e9)} G${unit}/s, ${percent((point.y / Math.min(peak, point.x * slope)) * 100, 0)} of the roof`,
            )
            .join("; ");
    const frame = plot(
        {
            scales: {
                x: {time: false, distr: 3, range: [low, high]},
                y: {distr: 3, range: [bottom, peak * 3]},
            },
            axes: [
                axis(`${name} for each byte of device memory`, powers("")),
                {...axis("", powers(`${unit}/s`)), size: 92},
            ],
            series: [
                {},
                {stroke: themeColor("muted"), width: 2, points: {show: false}},
                {paths: () => null, points: {show: false}},
            ],
            cursor: {drag: {x: false, y: false}, points: {show: false}},
            hooks: {
                draw: [
                    made => {
                        const {ctx} = made,
                            ratio = devicePixelRatio;
                        const labels = [];
                        for (const point of points) {
                            const x = made.valToPos(point.x, "x", true),
                                y = made.valToPos(point.y, "y", true),
                                own = point.kernel === chosen;
                            ctx.globalAlpha = !chosen || own ? 1 : 0.35;
                            ctx.fillStyle = own || !chosen ? themeColor("accent") : themeColor("muted");
                            ctx.beginPath();
                            ctx.arc(x, y, (own ? 6 : 4.5) * ratio, 0, 7);
                            ctx.fill();
                            const free = labels.every(
                                ([a, b]) => Math.abs(a - x) > 130 * ratio || Math.abs(b - y) > 14 * ratio,
                            );
                            if (own || (!chosen && free && labels.length < 16)) {
                                ctx.font = `${12 * ratio}px system-ui, sans-serif`;
                                ctx.fillStyle = themeColor("ink");
                                ctx.textAlign =
                                    x > made.bbox.left + made.bbox.width * 0.75 ? "right" : "left";
                                ctx.fillText(
                                    point.kernel.function.slice(0, 32),
                                    x + (ctx.textAlign === "left" ? 9 : -9) * ratio,
                                    y + 4 * ratio,
                                );
                                labels.push([x, y]);
                            }
                        }
                        ctx.globalAlpha = 1;
                        ctx.fillStyle = themeColor("muted");
                        ctx.textAlign = "right";
                        ctx.font = `${11 * ratio}px system-ui, sans-serif`;
                        ctx.fillText(
                            `${fixed(peak / 1e9)} G${unit}/s`,
                            made.bbox.left + made.bbox.width - 6 * ratio,
                            made.valToPos(peak, "y", true) - 6 * ratio,
                        );
                        ctx.textAlign = "left";
                        ctx.fillText(
                            `${bytes(slope)}/s`,
                            made.bbox.left + 8 * ratio,
                            made.valToPos(Math.max(bottom * 1.6, low * slope), "y", true) - 18 * ratio,
                        );
                    },
                ],
                setCursor: [
                    made => {
                        const point = near(made);
                        if (!point) return hideTip();
                        const box = made.over.getBoundingClientRect();
                        showTipAt(
                            box.left + made.cursor.left,
                            box.top + made.cursor.top,
                            point.kernel.name,
                            `${fixed(point.y / 1e9)} G${unit}/s, ${point.x.toPrecision(3)} ${unit}/byte`,
                            `${percent((point.y / Math.min(peak, point.x * slope)) * 100, 0)} of what the roof allows`,
                        );
                    },
                ],
                ready: [
                    made =>
                        made.over.addEventListener("click", () => {
                            const point = near(made);
                            if (point) go({view: "kernel", kernel: run().kernels.indexOf(point.kernel)});
                        }),
                ],
            },
        },
        [xs, roof, ys],
        320,
        text,
    );
    return frame;
}

function launchesCard(of) {
    if (!of.rows || of.rows.length < 2) return null;
    const rows = table(
        [
            {
                label: "Launch",
                tip: "In the order of all launches of the run.",
                right: true,
                sort: row => row.id,
                cell: row => count(row.id),
            },
            {
                label: "Grid",
                right: true,
                sort: row => row.grid.reduce((a, b) => a * b),
                cell: row => shape(row.grid),
            },
            {
                label: "Block",
                right: true,
                sort: row => row.block.reduce((a, b) => a * b),
                cell: row => shape(row.block),
            },
            {
                label: "Stream",
                tip: "As cudaStreamGetId has it; 1 is the default stream.",
                right: true,
                sort: row => row.stream,
                cell: row => row.stream,
            },
            {
                label: "Time",
                tip: metricTip("gpu__time_duration.sum"),
                right: true,
                sort: row => row.time,
                cell: row => duration(row.time),
            },
            {
                label: "Bound by",
                right: false,
                sort: row => row.bound,
                cell: row => (row.fault ? el("span", {class: "warning"}, row.fault) : boundText(row.bound)),
            },
        ],
        of.rows,
        {caption: "Launches of this kernel"},
    );
    return card(
        "Launches",
        "The first launches of this kernel that have a row in the run file.",
        of.rows.length < of.launches
            ? note(`The first ${count(of.rows.length)} of ${count(of.launches)}.`)
            : null,
        scroller("Table of launches", rows.node),
    );
}

export function kernelHead(of) {
    const validated = of.validated
        ? ` Predictions from such code were compared with this GPU: ${of.validated}.`
        : " Predictions from such code were not compared with this GPU.";
    return el(
        "p",
        {class: "kernel-name"},
        el("code", {}, of.name),
        el(
            "span",
            {class: "muted", tabindex: 0, "data-tip": `The compiler that made its code.${validated}`},
            ` ${of.compiler}`,
        ),
    );
}

function figuresOf(of) {
    const list = [
        ["time a launch", "gpu__time_duration.sum"],
        ["instructions a warp", "inst_per_warp"],
        ["instructions a cycle and SM", "ipc"],
        ["active lanes", "smsp__thread_inst_executed_per_inst_executed.ratio"],
        ["branches that stay together", "branch_efficiency"],
        ["loads' bytes used", "gld_efficiency"],
        ["stores' bytes used", "gst_efficiency"],
        ["waves", "launch__waves_per_multiprocessor"],
    ];
    return el(
        "div",
        {class: "figures"},
        list.map(([label, name]) => {
            const number = value(of, name),
                range = spread(of, name);
            if (number === null) return null;
            return el(
                "div",
                {
                    class: "figure",
                    tabindex: 0,
                    "data-tip":
                        metricTip(name) +
                        (range
                            ? ` From ${withUnit(range[0], metric(name).unit)} to ${withUnit(range[1], metric(name).unit)} over its launches.`
                            : ""),
                },
                el("b", {}, withUnit(number, metric(name).unit)),
                el("span", {}, label),
            );
        }),
    );
}

export function kernelView(view) {
    const of = kernel();
    append(view, [
        kernelHead(of),
        figuresOf(of),
        el(
            "div",
            {class: "columns"},
            el("div", {}, findingsCard(of), launchesCard(of)),
            el("div", {}, speedOfLight(of), stalls(of), occupancy(of)),
        ),
        el(
            "div",
            {class: "columns"},
            el("div", {}, roofline(run(), run().kernels.slice(0, 200), of)),
            el("div", {}, trafficCard(of)),
        ),
    ]);
}

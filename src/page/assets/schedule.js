// Blocks on SMs over time, with waves and tail; and what each scheduler's warps do.
import {append, card, el, note} from "./dom.js";
import {count, duration, fixed, percent} from "./format.js";
import {modelOf, stateColors, states} from "./data.js";
import {kernel, run} from "./state.js";
import {closeUpOf, nobodyLooked} from "./closeup.js";
import {kernelHead} from "./kernel.js";
import {axis, plot, themeColor} from "./chart.js";
import {hideTip, showTipAt} from "./tips.js";

// Waves of the whole grid: how full the GPU is in each.
function waves(seen, model) {
    const sms = model ? model.sms : seen.sms_used,
        each = seen.resident * sms,
        whole = Math.floor(seen.grid_blocks / each),
        rest = seen.grid_blocks - whole * each;
    const number = whole + (rest ? 1 : 0),
        shown = Math.min(number, 40);
    const node = card(
        "Waves",
        "A wave is as many blocks as the whole GPU holds at once. The last one is often partly empty, and the GPU waits for it: the tail.",
    );
    append(node, [
        el(
            "div",
            {
                class: "waves",
                role: "img",
                "aria-label": `${number} waves; the last one has ${rest || each} of ${each} blocks`,
            },
            Array.from({length: shown}, (_, index) => {
                const real = shown < number && index === shown - 1 ? number - 1 : index,
                    blocks = real < whole ? each : rest;
                return el(
                    "span",
                    {
                        class: blocks < each ? "wave partial" : "wave",
                        "data-tip": `Wave ${count(real + 1)}: ${count(blocks)} of ${count(each)} blocks`,
                    },
                    el("i", {style: {height: `${(blocks / each) * 100}%`}}),
                );
            }),
        ),
        note(
            `${count(seen.grid_blocks)} blocks, ${count(seen.resident)} an SM on ${count(sms)} SMs: ${fixed(seen.grid_blocks / each)} waves.`,
            rest ? ` The last one fills ${percent((rest / each) * 100, 0)} of the GPU.` : " All are full.",
            shown < number ? ` ${count(number - shown)} in the middle are not drawn.` : "",
        ),
    ]);
    return node;
}

function blocks(seen, model) {
    if (!seen.blocks.length) return null;
    const sms = [...new Set(seen.blocks.map(one => one[1]))].sort((a, b) => a - b),
        end = Math.max(...seen.blocks.map(one => one[3])),
        begin = Math.min(...seen.blocks.map(one => one[2]));
    // Each block in the first row of its SM that is free.
    const rows = new Map(sms.map(sm => [sm, []]));
    const bars = [...seen.blocks]
        .sort((a, b) => a[2] - b[2])
        .map(([block, sm, from, to]) => {
            const free = rows.get(sm);
            let row = free.findIndex(until => until <= from);
            if (row < 0) row = free.length;
            free[row] = to;
            return {block, sm, from, to, row};
        });
    const shownSms = sms.slice(0, 32),
        tall = Math.max(
            3,
            Math.min(
                12,
                Math.floor(
                    300 /
                        Math.max(1, shownSms.length * Math.max(...[...rows.values()].map(one => one.length))),
                ),
            ),
        );
    const gap = 6,
        left = 52,
        top = 20;
    const offsets = new Map();
    let height = top;
    for (const sm of shownSms) (offsets.set(sm, height), (height += rows.get(sm).length * (tall + 1) + gap));
    const canvas = el("canvas", {
            role: "img",
            "aria-label": `${count(bars.length)} blocks on ${count(sms.length)} SMs over ${count(end - begin)} cycles`,
        }),
        frame = el("div", {class: "timeline"}, canvas);
    const tailFrom = Math.min(
        ...shownSms.map(sm => Math.max(...bars.filter(bar => bar.sm === sm).map(bar => bar.to))),
    );
    const x = cycle => left + ((cycle - begin) / (end - begin)) * (canvas.clientWidth - left - 8);
    const draw = () => {
        const width = frame.clientWidth,
            ratio = devicePixelRatio || 1;
        if (!width) return;
        ((canvas.width = width * ratio), (canvas.height = height * ratio));
        canvas.style.height = `${height}px`;
        const pen = canvas.getContext("2d");
        pen.scale(ratio, ratio);
        pen.font = "11px system-ui, sans-serif";
        pen.fillStyle = themeColor("muted");
        const span = end - begin,
            unit = 10 ** Math.floor(Math.log10(span / 3)),
            every = span / unit > 8 ? unit * 2 : unit;
        for (let cycle = 0; cycle <= span; cycle += every)
            if (x(begin + cycle) < width - 40) pen.fillText(count(cycle), x(begin + cycle), 11);
        for (const sm of shownSms)
            ((pen.fillStyle = themeColor("muted")), pen.fillText(`SM ${sm}`, 4, offsets.get(sm) + 10));
        for (const bar of bars) {
            if (!offsets.has(bar.sm)) continue;
            pen.fillStyle = `hsl(${(bar.block * 47) % 360} 45% ${themeColor("bg") < "#8" ? 52 : 62}%)`;
            pen.fillRect(
                x(bar.from),
                offsets.get(bar.sm) + bar.row * (tall + 1),
                Math.max(1, x(bar.to) - x(bar.from) - 0.5),
                tall,
            );
        }
    };
    canvas.addEventListener("mousemove", event => {
        const box = canvas.getBoundingClientRect(),
            px = event.clientX - box.left,
            py = event.clientY - box.top;
        const bar = bars.find(
            one =>
                offsets.has(one.sm) &&
                px >= x(one.from) &&
                px <= x(one.to) &&
                py >= offsets.get(one.sm) + one.row * (tall + 1) &&
                py < offsets.get(one.sm) + (one.row + 1) * (tall + 1),
        );
        if (!bar) return hideTip();
        showTipAt(
            event.clientX,
            event.clientY,
            `block ${count(bar.block)} on SM ${bar.sm}`,
            `cycles ${count(bar.from)} to ${count(bar.to)}: ${count(bar.to - bar.from)}${model ? `, ${duration(((bar.to - bar.from) / model.clock_hz) * 1e9)}` : ""}`,
        );
    });
    canvas.addEventListener("mouseleave", hideTip);
    new ResizeObserver(draw).observe(frame);
    const all = seen.blocks.length >= seen.grid_blocks;
    return card(
        "Blocks on SMs over time",
        "Which blocks the timing model has replayed on which SM, and when (predicted). A block stands in a place that is free.",
        frame,
        note(
            all
                ? `All ${count(seen.grid_blocks)} blocks.`
                : `${count(seen.blocks.length)} of ${count(seen.grid_blocks)} blocks, on ${count(seen.sms)} of ${count(seen.sms_used)} SMs: a sample, from the begin, the middle and the end of the grid, one after the other; what lies between takes as long. lockstep profile --detailed replays all.`,
            ` From cycle ${count(tailFrom - begin)} on some SM has nothing more to do: ${percent(((end - tailFrom) / (end - begin)) * 100, 0)} of what is drawn.`,
        ),
    );
}

function schedulers(seen) {
    const {width, schedulers: list} = seen.states;
    if (!list.length) return null;
    const node = card(
        "Warp states by scheduler",
        "What the warps of each scheduler of the first SM do, from its first block on (predicted): warps in each state, on average over a slice of time. Green is an issued instruction: at most one a cycle.",
    );
    const used = states
        .map((_, index) => index)
        .filter(index => list.some(slices => slices.some(slice => slice[index])));
    append(node, [
        el(
            "p",
            {class: "legend"},
            used.map(index =>
                el(
                    "span",
                    {"data-tip": states[index].name},
                    el("i", {class: "dot", style: {background: stateColors[index]}}),
                    states[index].text,
                ),
            ),
        ),
    ]);
    const most = Math.max(
        ...list.flatMap(slices => slices.map(slice => slice.reduce((a, b) => a + b, 0) / width)),
    );
    const grid = el("div", {class: "schedulers"});
    list.forEach((slices, number) => {
        const xs = [],
            layers = used.map(() => []);
        slices.forEach((slice, index) =>
            [index * width, (index + 1) * width].forEach(cycle => {
                xs.push(cycle + (cycle > index * width ? -0.01 : 0));
                let sum = 0;
                used.forEach((state, layer) => {
                    sum += slice[state] / width;
                    layers[layer].push(sum);
                });
            }),
        );
        const order = layers.map((_, layer) => layer).reverse(); // the whole stack first, then over it what lies lower
        const issued = slices.reduce((sum, slice) => sum + slice[0], 0) / (slices.length * width);
        grid.append(
            el(
                "div",
                {},
                el(
                    "h3",
                    {"data-tip": "Cycles in which it issues an instruction."},
                    `Scheduler ${number}: issues in ${percent(issued * 100, 0)} of the cycles`,
                ),
                plot(
                    {
                        scales: {x: {time: false}, y: {range: [0, most]}},
                        axes: [
                            {...axis("cycles"), labelSize: 14, size: 34},
                            {...axis("warps"), size: 44},
                        ],
                        series: [
                            {},
                            ...order.map(layer => ({
                                fill: stateColors[used[layer]],
                                stroke: stateColors[used[layer]],
                                width: 0,
                                points: {show: false},
                            })),
                        ],
                        cursor: {drag: {x: false, y: false}, points: {show: false}},
                        hooks: {
                            setCursor: [
                                made => {
                                    const slice =
                                        slices[Math.floor(made.posToVal(made.cursor.left, "x") / width)];
                                    if (!slice || made.cursor.left < 0) return hideTip();
                                    const box = made.over.getBoundingClientRect();
                                    showTipAt(
                                        box.left + made.cursor.left,
                                        box.top + made.cursor.top,
                                        ...used
                                            .filter(state => slice[state])
                                            .sort((a, b) => slice[b] - slice[a])
                                            .slice(0, 6)
                                            .map(
                                                state =>
                                                    `${(slice[state] / width).toFixed(2)} warps ${states[state].text}`,
                                            ),
                                    );
                                },
                            ],
                        },
                    },
                    [xs, ...order.map(layer => layers[layer])],
                    170,
                    `Warps of scheduler ${number} by state over time: it issues in ${percent(issued * 100, 0)} of the cycles`,
                ),
            ),
        );
    });
    node.append(grid);
    return node;
}

export function scheduleView(view) {
    const of = kernel(),
        seen = closeUpOf(of);
    append(view, [kernelHead(of)]);
    if (!seen) return append(view, [note(nobodyLooked)]);
    const model = modelOf(run(), of);
    append(view, [blocks(seen, model), waves(seen, model), schedulers(seen)]);
}

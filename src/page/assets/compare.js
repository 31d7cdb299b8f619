// Two runs beside each other: kernels of the same name.
import {append, bar, card, choice, el, note, scroller} from "./dom.js";
import {duration, percent, withUnit} from "./format.js";
import {boundText, data, mainBound, metricTip, stateColors, states, value} from "./data.js";
import {go} from "./state.js";
import {filterBox, table} from "./table.js";

const sides = {a: 0, b: 1, kernel: null};

// The runs' kernels by name; where both have but one, these two.
export function pairsOf(a, b) {
    if (a.kernels.length === 1 && b.kernels.length === 1)
        return [{name: a.kernels[0].function, a: a.kernels[0], b: b.kernels[0]}];
    const others = new Map(b.kernels.map(kernel => [kernel.name, kernel]));
    const pairs = a.kernels.map(kernel => ({
        name: kernel.function,
        full: kernel.name,
        a: kernel,
        b: others.get(kernel.name) || null,
    }));
    const known = new Set(a.kernels.map(kernel => kernel.name));
    return [
        ...pairs,
        ...b.kernels
            .filter(kernel => !known.has(kernel.name))
            .map(kernel => ({name: kernel.function, full: kernel.name, a: null, b: kernel})),
    ];
}

const each = kernel => (kernel && kernel.time !== null ? kernel.time / kernel.launches : null);
const ratio = pair => (pair.a && pair.b && each(pair.a) && each(pair.b) ? each(pair.a) / each(pair.b) : null);
const ratioText = times => (times === null ? "–" : `${times.toFixed(2)}×`);
const ratioClass = times =>
    times === null || Math.abs(times - 1) < 0.02 ? "" : times > 1 ? "better" : "worse";

function stack(kernel) {
    const total = kernel.cycles.reduce((a, b) => a + b, 0);
    return total
        ? el(
              "div",
              {class: "stack", role: "img", "aria-label": "What warps do"},
              kernel.cycles.map((cycles, index) =>
                  cycles
                      ? el("span", {
                            style: {width: `${(cycles / total) * 100}%`, background: stateColors[index]},
                            "data-tip": `${percent((cycles / total) * 100)} ${states[index].text}`,
                        })
                      : null,
              ),
          )
        : null;
}

function pairCard(pair, a, b) {
    const rows = data.metrics
        .map((metric, index) => ({
            ...metric,
            x: pair.a.values[index] ?? null,
            y: pair.b.values[index] ?? null,
        }))
        .filter(row => row.x !== null && row.y !== null);
    const differs = row =>
        row.x === row.y ? 0 : row.x === 0 ? Infinity : Math.abs(Math.log(Math.abs(row.y / row.x) || 1e-9));
    const list = table(
        [
            {
                label: "Metric",
                right: false,
                sort: row => row.names[0],
                class: "name",
                cell: row => el("span", {"data-tip": metricTip(row.names[0])}, row.title || row.names[0]),
            },
            {label: "A", right: true, sort: row => row.x, cell: row => withUnit(row.x, row.unit)},
            {label: "B", right: true, sort: row => row.y, cell: row => withUnit(row.y, row.unit)},
            {
                label: "B / A",
                tip: "How many times as large it is in B.",
                right: true,
                sort: row => (row.x ? row.y / row.x : null),
                cell: row => (row.x ? ratioText(row.y / row.x) : "–"),
            },
            {
                label: "Difference",
                tip: "How far apart they are, whichever is larger.",
                right: true,
                sort: differs,
                cell: row =>
                    row.x === row.y ? "same" : row.x && row.y ? percent((row.y / row.x - 1) * 100, 0) : "–",
            },
        ],
        rows,
        {caption: `Metrics of ${pair.name} in both runs`},
    );
    const findings = kernel =>
        (kernel.findings || [])
            .slice(0, 3)
            .map(one => el("li", {}, `${percent(one.cost * 100, 0)} ${one.title}`));
    return card(
        pair.name,
        "Both runs of this kernel; averages over launches.",
        el(
            "div",
            {class: "columns"},
            [
                ["A", pair.a],
                ["B", pair.b],
            ].map(([side, kernel]) =>
                el(
                    "div",
                    {},
                    el(
                        "h3",
                        {},
                        `${side}: ${duration(each(kernel))}, bound by ${boundText(mainBound(kernel))}`,
                    ),
                    stack(kernel),
                    el("ul", {class: "evidence"}, findings(kernel)),
                ),
            ),
        ),
        filterBox("Filter metrics", rows.length, test =>
            list.filter(row => test(`${row.names.join(" ")} ${row.title} ${row.groups.join(" ")}`)),
        ),
        scroller("Metrics of both", list.node),
    );
}

export function compareView(view) {
    const options = data.runs.map((one, index) => [
        String(index),
        `${index + 1}: ${one.file} (${one.devices[0].name})`,
    ]);
    const a = data.runs[sides.a],
        b = data.runs[sides.b],
        pairs = pairsOf(a, b),
        both = pairs.filter(pair => pair.a && pair.b);
    const redraw = () => go({});
    const total = run => run.kernels.reduce((sum, kernel) => sum + (kernel.time || 0), 0);
    append(view, [
        el(
            "div",
            {class: "tools"},
            choice("A", options, String(sides.a), value => {
                sides.a = Number(value);
                redraw();
            }),
            choice("B", options, String(sides.b), value => {
                sides.b = Number(value);
                redraw();
            }),
        ),
        el(
            "div",
            {class: "figures"},
            el("div", {class: "figure"}, el("b", {}, duration(total(a))), el("span", {}, "A, all kernels")),
            el("div", {class: "figure"}, el("b", {}, duration(total(b))), el("span", {}, "B, all kernels")),
            el(
                "div",
                {
                    class: `figure ${ratioClass(total(a) / total(b))}`,
                    tabindex: 0,
                    "data-tip": "Time of A / time of B: above 1, B is faster.",
                },
                el("b", {}, ratioText(total(b) ? total(a) / total(b) : null)),
                el("span", {}, "B against A"),
            ),
        ),
    ]);
    const most = Math.max(...pairs.flatMap(pair => [each(pair.a) || 0, each(pair.b) || 0]), 1);
    const rows = table(
        [
            {
                label: "Kernel",
                right: false,
                sort: pair => pair.name,
                class: "name",
                cell: pair =>
                    pair.a && pair.b
                        ? el(
                              "a",
                              {
                                  href: "#",
                                  "data-tip": pair.full,
                                  onclick: event => {
                                      event.preventDefault();
                                      sides.kernel = pair.name;
                                      redraw();
                                  },
                              },
                              pair.name,
                          )
                        : pair.name,
            },
            {
                label: "A",
                tip: "Time of a launch in A, on average.",
                right: true,
                sort: pair => each(pair.a),
                cell: pair => (pair.a ? bar(each(pair.a) / most, duration(each(pair.a))) : "not in A"),
            },
            {
                label: "B",
                tip: "Time of a launch in B, on average.",
                right: true,
                sort: pair => each(pair.b),
                cell: pair => (pair.b ? bar(each(pair.b) / most, duration(each(pair.b))) : "not in B"),
            },
            {
                label: "A / B",
                tip: "Above 1, B is faster.",
                right: true,
                sort: ratio,
                cell: pair => el("span", {class: ratioClass(ratio(pair))}, ratioText(ratio(pair))),
            },
            {
                label: "A is bound by",
                right: false,
                sort: pair => pair.a && boundText(mainBound(pair.a)),
                cell: pair => (pair.a ? boundText(mainBound(pair.a)) : ""),
            },
            {
                label: "B is bound by",
                right: false,
                sort: pair => pair.b && boundText(mainBound(pair.b)),
                cell: pair => (pair.b ? boundText(mainBound(pair.b)) : ""),
            },
        ],
        pairs,
        {
            caption: "Kernels of both runs",
            class: "kernels pairs",
            choose: pair => {
                if (pair.a && pair.b) ((sides.kernel = pair.name), redraw());
            },
            chosen: pair => both.length && pair === (both.find(one => one.name === sides.kernel) || both[0]),
        },
    );
    append(view, [
        card(
            "Kernels",
            "Kernels of the same name in both runs; a row shows its metrics beside each other.",
            scroller("Kernels of both runs", rows.node),
        ),
    ]);
    if (!both.length) return append(view, [note("No kernel is in both runs.")]);
    append(view, [pairCard(both.find(pair => pair.name === sides.kernel) || both[0], a, b)]);
}

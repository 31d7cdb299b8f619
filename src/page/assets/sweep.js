// What lockstep sweep found: the time of every point, and why the others are slower.
import {append, bar, card, choice, el, note, scroller} from "./dom.js";
import {shape, withUnit} from "./format.js";
import {data, metric, metricTip} from "./data.js";
import {axis, plot, themeColor} from "./chart.js";
import {table} from "./table.js";
import {hideTip, showTipAt} from "./tips.js";

const time = "gpu__time_duration.sum";
let axisChoice = {};

const valueOf = (row, name) => (row.metrics && name in row.metrics ? row.metrics[name] : null);
const text = configuration =>
    Object.entries(configuration)
        .map(([key, value]) => `${key} ${value}`)
        .join(", ");

// Values along an axis: as numbers where they are, threads of a block, else as they come.
function place(value) {
    if (/^\d+(x\d+)+$/.test(value)) return value.split("x").reduce((a, b) => a * b, 1);
    return Number.isFinite(Number(value)) ? Number(value) : null;
}

function kernelCard(of, sweep, redraw) {
    const name = of.sorted_by || time,
        keys = [...new Set(of.rows.flatMap(row => Object.keys(row.configuration)))];
    const done = of.rows.filter(row => valueOf(row, name) !== null);
    const known = metric(name),
        unit = known ? known.unit : name === time ? "ns" : "";
    const node = card(of.kernel, "A point is a run of the program; the best is marked.");
    const key =
        axisChoice[of.kernel] && keys.includes(axisChoice[of.kernel]) ? axisChoice[of.kernel] : keys[0];
    if (keys.length > 1)
        node.append(
            choice(
                "Along",
                keys.map(one => [one, one]),
                key,
                value => {
                    axisChoice[of.kernel] = value;
                    redraw();
                },
            ),
        );
    if (done.length > 1 && key) node.append(sweepPlot(done, key, name, unit, of.kernel));
    const most = Math.max(...done.map(row => valueOf(row, name)), 1);
    const columns = [...new Set(done.flatMap(row => Object.keys(row.metrics)))]
        .filter(one => one !== name)
        .slice(0, 6);
    const rows = table(
        [
            ...keys.map((one, index) => ({
                label: one,
                right: false,
                sort: row => place(row.configuration[one] || "") ?? row.configuration[one],
                cell: row => `${row.configuration[one] || ""}${index === 0 && row.best ? " ★" : ""}`,
            })),
            {
                label: (known && known.title) || name,
                tip: metricTip(name) || name,
                right: true,
                sort: row => valueOf(row, name),
                cell: row =>
                    row.failure ? "–" : bar(valueOf(row, name) / most, withUnit(valueOf(row, name), unit)),
            },
            {
                label: "of best",
                tip: "Its ratio to the best row's.",
                right: true,
                sort: row => row.ratio,
                cell: row => (row.ratio ? `${row.ratio.toFixed(2)}×` : "–"),
            },
            {label: "grid", right: true, cell: row => (row.grid ? shape(row.grid) : "–")},
            {label: "block", right: true, cell: row => (row.block ? shape(row.block) : "–")},
            ...columns.map(one => ({
                label: (metric(one) && metric(one).title) || one,
                tip: metricTip(one),
                right: true,
                sort: row => valueOf(row, one),
                cell: row => withUnit(valueOf(row, one), metric(one) ? metric(one).unit : ""),
            })),
            {
                label: "why",
                right: false,
                class: "wide",
                cell: row => (row.failure ? el("span", {class: "worse"}, row.failure) : row.reason || ""),
            },
        ],
        of.rows,
        {caption: `Points of ${of.kernel}`, chosen: row => row.best},
    );
    node.append(scroller(`Points of ${of.kernel}`, rows.node));
    return node;
}

// A line for each combination of the other values.
function sweepPlot(rows, key, name, unit, kernel) {
    const values = [...new Set(rows.map(row => row.configuration[key]))],
        numeric =
            new Set(values.map(place)).size === values.length && values.every(value => place(value) !== null);
    if (!numeric) values.sort((a, b) => place(a) - place(b) || 0);
    const at = new Map(values.map((value, index) => [value, numeric ? place(value) : index + 1]));
    const label = row =>
        text(Object.fromEntries(Object.entries(row.configuration).filter(([other]) => other !== key)));
    const lines = [...new Set(rows.map(label))].slice(0, 12);
    const points = rows
        .map(row => ({
            row,
            x: at.get(row.configuration[key]),
            y: valueOf(row, name),
            line: lines.indexOf(label(row)),
        }))
        .filter(point => point.line >= 0)
        .sort((a, b) => a.x - b.x);
    const xs = [...new Set(points.map(point => point.x))];
    const log = numeric && xs[0] > 0 && xs.at(-1) / xs[0] > 16;
    const span = log
        ? [xs[0] / 1.3, xs.at(-1) * 1.3]
        : [xs[0] - (xs.at(-1) - xs[0]) * 0.05 - 0.01, xs.at(-1) + (xs.at(-1) - xs[0]) * 0.05 + 0.01];
    if (!numeric) ((span[0] = 0.4), (span[1] = values.length + 0.6));
    const top = Math.max(...points.map(point => point.y)) * 1.08;
    const colors = [themeColor("accent"), ...stateColorsFor(lines.length - 1)];
    const bars = !numeric && lines.length === 1;
    const frame = plot(
        {
            scales: {x: {time: false, distr: log ? 3 : 1, log: 2, range: span}, y: {range: [0, top]}},
            axes: [
                {
                    ...(numeric ? {} : {splits: () => values.map((_, index) => index + 1)}),
                    ...axis(
                        numeric && values.some(value => value.includes("x")) ? "threads of a block" : key,
                        numeric ? undefined : (_, splits) => splits.map(split => values[split - 1] || ""),
                    ),
                },
                {...axis("", (_, splits) => splits.map(split => withUnit(split, unit))), size: 78},
            ],
            series: [
                {},
                ...lines.map((_, line) =>
                    bars
                        ? {
                              fill: colors[0],
                              width: 0,
                              points: {show: false},
                              paths: uPlot.paths.bars({size: [0.5, 70], radius: 0.05}),
                          }
                        : {
                              stroke: colors[line % colors.length],
                              width: numeric ? 2 : 0,
                              spanGaps: true,
                              points: {
                                  show: true,
                                  size: numeric ? 7 : 10,
                                  fill: colors[line % colors.length],
                              },
                          },
                ),
            ],
            cursor: {drag: {x: false, y: false}, points: {show: false}},
            hooks: {
                setCursor: [
                    made => {
                        let best = null,
                            distance = 30;
                        for (const point of points) {
                            const away = Math.hypot(
                                made.valToPos(point.x, "x") - made.cursor.left,
                                made.valToPos(point.y, "y") - made.cursor.top,
                            );
                            if (away < distance) ((distance = away), (best = point));
                        }
                        if (!best) return hideTip();
                        const box = made.over.getBoundingClientRect();
                        showTipAt(
                            box.left + made.cursor.left,
                            box.top + made.cursor.top,
                            text(best.row.configuration),
                            withUnit(best.y, unit),
                            best.row.reason || "",
                        );
                    },
                ],
            },
        },
        [
            xs,
            ...lines.map((_, line) =>
                xs.map(x => {
                    const here = points.filter(point => point.x === x && point.line === line);
                    return here.length ? Math.min(...here.map(point => point.y)) : null;
                }),
            ),
        ],
        300,
        `${kernel} by ${key}: ${points
            .slice(0, 24)
            .map(point => `${point.row.configuration[key]} ${withUnit(point.y, unit)}`)
            .join(", ")}`,
    );
    return el(
        "div",
        {},
        frame,
        lines.length > 1
            ? el(
                  "p",
                  {class: "legend"},
                  lines.map((line, index) =>
                      el(
                          "span",
                          {},
                          el("i", {class: "dot", style: {background: colors[index % colors.length]}}),
                          line,
                      ),
                  ),
              )
            : null,
    );
}

const stateColorsFor = more =>
    Array.from({length: Math.max(0, more)}, (_, index) => `hsl(${(30 + index * 67) % 360} 60% 50%)`);

export function sweepView(view) {
    const redraw = () => {
        view.replaceChildren();
        sweepView(view);
    };
    for (const sweep of data.sweeps) {
        append(view, [el("p", {class: "kernel-name"}, el("code", {}, sweep.name))]);
        append(view, [
            sweep.kernels.length
                ? sweep.kernels.map(of => kernelCard(of, sweep, redraw))
                : note("This sweep has no kernels."),
        ]);
    }
}

// Every metric of a kernel, with its definition.
import {append, card, el, note, scroller} from "./dom.js";
import {withUnit} from "./format.js";
import {data} from "./data.js";
import {kernel} from "./state.js";
import {kernelHead} from "./kernel.js";
import {filterBox, table} from "./table.js";

export function metricsView(view) {
    const of = kernel();
    const rows = data.metrics
        .map((metric, index) => ({
            ...metric,
            index,
            value: of.values[index] ?? null,
            range: of.spreads[index],
        }))
        .filter(row => row.value !== null);
    if (!rows.length)
        return append(view, [
            kernelHead(of),
            note("This page has the metrics of the 1000 kernels that take most time only."),
        ]);
    const list = table(
        [
            {
                label: "Metric",
                right: false,
                sort: row => row.names[0],
                class: "name",
                cell: row => [
                    el("code", {}, row.names[0]),
                    row.names.slice(1).map(name => el("div", {class: "muted"}, name)),
                ],
            },
            {
                label: "Value",
                tip: "Average over the kernel's launches.",
                right: true,
                sort: row => row.value,
                cell: row => withUnit(row.value, row.unit),
            },
            {
                label: "Range",
                tip: "The least and the most over its launches, where they differ.",
                right: true,
                cell: row =>
                    row.range
                        ? `${withUnit(row.range[0], row.unit)} – ${withUnit(row.range[1], row.unit)}`
                        : "",
            },
            {
                label: "Kind",
                tip: "Counted follows from the program alone; modelled is counted on a model of compiler or caches; predicted comes from the timing model.",
                right: false,
                sort: row => row.kind,
                cell: row => row.kind,
            },
            {label: "Definition", right: false, class: "wide", cell: row => row.definition},
        ],
        rows,
        {caption: "Metrics of this kernel"},
    );
    append(view, [
        kernelHead(of),
        card(
            "All metrics",
            "Whatever this run has counted or predicted of the kernel.",
            filterBox("Filter: name, group, definition", rows.length, test =>
                list.filter(row =>
                    test(`${row.names.join(" ")} ${row.groups.join(" ")} ${row.title} ${row.definition}`),
                ),
            ),
            scroller("Table of metrics", list.node),
        ),
    ]);
}

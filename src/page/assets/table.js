// A table that sorts by its heads and shows rows as they are scrolled to.
import {el} from "./dom.js";

const piece = 150; // rows drawn at once

// columns: {label, tip, sort(row), cell(row), right, name}. options: {caption, chosen(row), choose(row), order: [column, down]}.
export function table(columns, rows, options = {}) {
    let [by, down] = options.order || [-1, false];
    let shown = rows,
        drawn = 0;
    const body = el("tbody"),
        head = el("tr"),
        more = el("tr", {class: "more"});
    const node = el(
        "table",
        {class: options.class},
        el("caption", {class: "hidden"}, options.caption || ""),
        el("thead", {}, head),
        body,
    );

    const heads = columns.map((column, index) => {
        const sortable =
            column.sort &&
            el(
                "button",
                {
                    type: "button",
                    class: "sort",
                    "data-tip": column.tip,
                    onclick: () => {
                        down = by === index ? !down : column.right !== false;
                        by = index;
                        draw();
                    },
                },
                column.label,
            );
        const th = el(
            "th",
            {scope: "col", class: column.right ? "right" : "", "data-tip": sortable ? undefined : column.tip},
            sortable || column.label,
        );
        head.append(th);
        return th;
    });

    function drawMore() {
        more.remove();
        for (const row of shown.slice(drawn, drawn + piece)) {
            const tr = el(
                "tr",
                {class: options.chosen && options.chosen(row) ? "chosen" : ""},
                columns.map((column, i) =>
                    el(
                        i === 0 ? "th" : "td",
                        {
                            class: (column.right ? "right " : "") + (column.class || ""),
                            scope: i === 0 ? "row" : undefined,
                        },
                        column.cell(row),
                    ),
                ),
            );
            if (options.choose)
                tr.addEventListener(
                    "click",
                    event => event.target.closest("a,button") || options.choose(row),
                );
            body.append(tr);
        }
        drawn = Math.min(shown.length, drawn + piece);
        if (drawn < shown.length) {
            more.replaceChildren(
                el(
                    "td",
                    {colspan: columns.length},
                    el(
                        "button",
                        {type: "button", onclick: drawMore},
                        `${drawn} of ${shown.length}: show more`,
                    ),
                ),
            );
            body.append(more);
            observer.observe(more);
        }
    }
    const observer = new IntersectionObserver(entries => {
        if (!entries.some(entry => entry.isIntersecting)) return;
        observer.disconnect();
        drawMore();
    });

    function draw() {
        heads.forEach((th, index) =>
            index === by
                ? th.setAttribute("aria-sort", down ? "descending" : "ascending")
                : th.removeAttribute("aria-sort"),
        );
        if (by >= 0) {
            const keys = new Map(shown.map(row => [row, columns[by].sort(row)]));
            const order = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b);
            shown = [...shown].sort((a, b) => {
                const x = keys.get(a),
                    y = keys.get(b);
                if (x === y) return 0;
                if (x === null || x === undefined) return 1; // no value: at the end, whatever the order
                if (y === null || y === undefined) return -1;
                return down ? order(y, x) : order(x, y);
            });
        }
        body.replaceChildren();
        drawn = 0;
        drawMore();
    }

    function filter(test) {
        shown = rows.filter(test);
        draw();
        return shown.length;
    }
    draw();
    return {node, filter};
}

// The rows whose text has all the words of what is typed.
export function filterBox(label, total, apply) {
    const left = el("span", {class: "muted", role: "status"}, "");
    const input = el("input", {
        type: "search",
        class: "filter",
        placeholder: label,
        "aria-label": label,
        oninput: () => {
            const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
            const matches = apply(text => words.every(word => text.toLowerCase().includes(word)));
            left.textContent = words.length ? `${matches} of ${total}` : "";
        },
    });
    return el("div", {class: "filter-row"}, input, left);
}

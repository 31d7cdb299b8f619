// What moves between the parts of the memory: as much as the pipes are thick.
import {card, note, svg} from "./dom.js";
import {bytes, count, percent} from "./format.js";
import {metricTip, value} from "./data.js";

const sector = 32,
    pass = 128;

export function trafficCard(of) {
    const get = name => value(of, name) || 0;
    const pipes = {
        loads: ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sector],
        stores: ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", sector],
        sharedLoads: ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", pass],
        sharedStores: ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", pass],
        l2Reads: ["lts__t_sectors_op_read.sum", sector],
        l2Writes: ["lts__t_sectors_op_write.sum", sector],
        dramReads: ["dram__bytes_read.sum", 1],
        dramWrites: ["dram__bytes_write.sum", 1],
    };
    const moved = Object.fromEntries(
        Object.entries(pipes).map(([name, [metric, unit]]) => [name, get(metric) * unit]),
    );
    const most = Math.max(...Object.values(moved));
    if (!most) return null;
    const thick = amount => (amount ? Math.max(1.5, 18 * Math.sqrt(amount / most)) : 0);
    const drawing = svg("svg", {
        viewBox: "0 0 560 250",
        class: "drawing traffic",
        role: "img",
        "aria-label": `Bytes of a launch: ${bytes(moved.loads)} loaded and ${bytes(moved.stores)} stored at the L1, ${bytes(moved.l2Reads)} read and ${bytes(moved.l2Writes)} written at the L2, ${bytes(moved.dramReads)} read and ${bytes(moved.dramWrites)} written in device memory`,
    });
    const box = (x, y, w, h, title, line, tip) =>
        drawing.append(
            svg(
                "g",
                {"data-tip": tip},
                svg("rect", {x, y, width: w, height: h, rx: 8, class: "part"}),
                svg("text", {x: x + w / 2, y: y + h / 2 - (line ? 5 : -5), class: "part-name"}, title),
                line ? svg("text", {x: x + w / 2, y: y + h / 2 + 13, class: "part-line"}, line) : "",
            ),
        );
    const pipe = (x1, x2, y, name, label, back) => {
        const amount = moved[name],
            width = thick(amount),
            [from, to] = back ? [x2, x1] : [x1, x2];
        if (!amount) return;
        drawing.append(
            svg(
                "g",
                {"data-tip": `${bytes(amount)} a launch. ${metricTip(pipes[name][0]) || ""}`},
                svg("line", {
                    x1: from,
                    y1: y,
                    x2: to,
                    y2: y,
                    "stroke-width": width,
                    class: back ? "pipe back" : "pipe",
                }),
                svg(
                    "text",
                    {x: (x1 + x2) / 2, y: y - width / 2 - 4, class: "pipe-text"},
                    `${label} ${bytes(amount)}`,
                ),
            ),
        );
    };
    box(4, 20, 92, 210, "SMs", null, "The multiprocessors, which execute the kernel.");
    const l1 = value(of, "l1tex__t_sector_hit_rate.pct"),
        l2 = value(of, "lts__t_sector_hit_rate.pct");
    box(
        216,
        20,
        84,
        112,
        "L1",
        l1 === null ? null : `${percent(l1, 0)} hits`,
        metricTip("l1tex__t_sector_hit_rate.pct"),
    );
    box(
        216,
        152,
        84,
        78,
        "Shared",
        null,
        "Shared memory. Each pass over its banks counts as 128 bytes, so that bank conflicts show.",
    );
    box(
        352,
        20,
        70,
        112,
        "L2",
        l2 === null ? null : `${percent(l2, 0)} hits`,
        metricTip("lts__t_sector_hit_rate.pct"),
    );
    box(482, 20, 74, 112, "DRAM", null, "Device memory.");
    pipe(96, 216, 56, "loads", "loads", true);
    pipe(96, 216, 108, "stores", "stores");
    pipe(96, 216, 178, "sharedLoads", "loads", true);
    pipe(96, 216, 214, "sharedStores", "stores");
    pipe(300, 352, 56, "l2Reads", "", true);
    pipe(300, 352, 108, "l2Writes", "");
    pipe(422, 482, 56, "dramReads", "", true);
    pipe(422, 482, 108, "dramWrites", "");
    const asked = value(of, "gld_efficiency");
    return card(
        "Memory traffic",
        "Bytes of an average launch between the parts of the memory. Of the L1 counted; behind it predicted.",
        drawing,
        asked === null
            ? null
            : note(
                  `Of the bytes that loads move, lanes asked for ${percent(Math.min(asked, 100), 0)}. ${count(Math.round(moved.loads / sector))} sectors of 32 bytes were loaded.`,
              ),
    );
}

// Streams, copies and kernels in simulated time.
import {append, card, el, note, scroller} from "./dom.js";
import {bytes, count, duration, percent} from "./format.js";
import {run} from "./state.js";
import {table} from "./table.js";
import {themeColor} from "./chart.js";
import {zoomAndDrag} from "./pan.js";
import {hideTip, showTipAt} from "./tips.js";

const rowHeight = 24,
    left = 132,
    top = 24;

export function timelineView(view) {
    const {names, bars, calls, activity_totals: totals, call_totals: callTotals} = run().streams;
    if (!bars.length && !calls.length)
        return append(view, [
            note(
                "This run has no times of copies and streams: the program ran on the wall clock, or gave the GPU nothing to do.",
            ),
        ]);
    const lanes = [];
    const laneOf = (key, text) => {
        let at = lanes.findIndex(lane => lane.key === key);
        if (at < 0) at = lanes.push({key, text, bars: []}) - 1;
        return lanes[at];
    };
    for (const [name, from, to] of calls)
        laneOf("host", "host: API calls").bars.push({name: names[name], from, to, call: true});
    const devices = new Set(bars.map(bar => bar[3])).size > 1;
    for (const [name, from, to, device, stream, size] of [...bars].sort((a, b) => a[3] - b[3] || a[4] - b[4]))
        laneOf(
            `${device}/${stream}`,
            `${devices ? `device ${device}, ` : ""}stream ${stream}${stream === 7 ? " (default)" : ""}`,
        ).bars.push({name: names[name], from, to, size});
    const all = lanes.flatMap(lane => lane.bars),
        begin = Math.min(...all.map(bar => bar.from)),
        end = Math.max(...all.map(bar => bar.to));
    for (const lane of lanes) lane.bars.sort((a, b) => a.from - b.from);
    const height = top + lanes.length * rowHeight + 6;
    const canvas = el("canvas", {
        role: "img",
        "aria-label": `${count(bars.length)} copies, fills and kernels on ${lanes.length} rows over ${duration(end - begin)}; the table below has their sums`,
    });
    const frame = el("div", {class: "timeline"}, canvas);
    let shown = [begin, end];
    const x = time => left + ((time - shown[0]) / (shown[1] - shown[0])) * (canvas.clientWidth - left - 8);
    const timeAt = px => shown[0] + ((px - left) / (canvas.clientWidth - left - 8)) * (shown[1] - shown[0]);
    const color = name => {
        let sum = 7;
        for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
        return `hsl(${name.startsWith("[CUDA") ? 30 + (sum % 20) : 190 + (sum % 130)} 55% 55%)`;
    };
    const draw = () => {
        const width = frame.clientWidth,
            ratio = devicePixelRatio || 1;
        if (!width) return;
        ((canvas.width = width * ratio), (canvas.height = height * ratio));
        canvas.style.height = `${height}px`;
        const pen = canvas.getContext("2d");
        pen.scale(ratio, ratio);
        pen.font = "11px system-ui, sans-serif";
        const span = shown[1] - shown[0],
            unit = 10 ** Math.floor(Math.log10(span / 3)),
            every = span / unit > 8 ? unit * 2 : unit;
        for (
            let time = Math.ceil((shown[0] - begin) / every) * every;
            begin + time <= shown[1];
            time += every
        ) {
            pen.strokeStyle = themeColor("line");
            pen.beginPath();
            pen.moveTo(x(begin + time), top - 6);
            pen.lineTo(x(begin + time), height);
            pen.stroke();
            pen.fillStyle = themeColor("muted");
            pen.fillText(duration(time), x(begin + time) + 3, 12);
        }
        lanes.forEach((lane, row) => {
            const y = top + row * rowHeight;
            let drawnTo = -1;
            for (const bar of lane.bars) {
                const from = Math.max(left, x(bar.from)),
                    to = Math.min(canvas.clientWidth - 8, x(bar.to));
                if (to < left || from > canvas.clientWidth) continue;
                if (to <= drawnTo) continue; // less than a pixel, over another
                pen.fillStyle = bar.call ? themeColor("lane-off") : color(bar.name);
                pen.fillRect(from, y, Math.max(1, to - from), rowHeight - 6);
                drawnTo = Math.max(from + 1, to);
                if (to - from > 46) {
                    pen.save();
                    pen.beginPath();
                    pen.rect(from, y, to - from - 2, rowHeight);
                    pen.clip();
                    pen.fillStyle = bar.call ? themeColor("ink") : "#0b1220";
                    pen.fillText(bar.name, from + 4, y + 12.5);
                    pen.restore();
                }
            }
            pen.fillStyle = themeColor("panel");
            pen.fillRect(0, y - 2, left - 4, rowHeight);
            pen.fillStyle = themeColor("ink");
            pen.fillText(lane.text, 4, y + 12);
        });
    };
    const zoom = zoomAndDrag(canvas, {
        left,
        begin,
        end,
        least: 50,
        shown: () => shown,
        show: part => {
            shown = part;
            draw();
        },
    });
    const find = event => {
        const box = canvas.getBoundingClientRect(),
            lane = lanes[Math.floor((event.clientY - box.top - top) / rowHeight)],
            time = timeAt(event.clientX - box.left),
            near = ((shown[1] - shown[0]) / canvas.clientWidth) * 3;
        return lane && lane.bars.find(bar => time >= bar.from - near && time <= bar.to + near);
    };
    canvas.addEventListener("mousemove", event => {
        const bar = find(event);
        if (!bar) return hideTip();
        showTipAt(
            event.clientX,
            event.clientY,
            bar.name,
            `${duration(bar.to - bar.from)}, from ${duration(bar.from)}`,
            bar.size ? `${bytes(bar.size)}, ${bytes((bar.size / (bar.to - bar.from)) * 1e9)}/s` : "",
        );
    });
    canvas.addEventListener("mouseleave", hideTip);
    new ResizeObserver(draw).observe(frame);
    const sums = (title, tip, list) => {
        const sum = list.reduce((a, b) => a + b.sum, 0);
        return list.length
            ? card(
                  title,
                  tip,
                  scroller(
                      title,
                      table(
                          [
                              {
                                  label: "Name",
                                  right: false,
                                  sort: row => row.name,
                                  class: "name",
                                  cell: row => row.name,
                              },
                              {
                                  label: "Time",
                                  right: true,
                                  sort: row => row.sum,
                                  cell: row => duration(row.sum),
                              },
                              {
                                  label: "Share",
                                  right: true,
                                  sort: row => row.sum,
                                  cell: row => percent((row.sum / sum) * 100),
                              },
                              {
                                  label: "Count",
                                  right: true,
                                  sort: row => row.count,
                                  cell: row => count(row.count),
                              },
                              {
                                  label: "Least",
                                  right: true,
                                  sort: row => row.min,
                                  cell: row => duration(row.min),
                              },
                              {
                                  label: "Most",
                                  right: true,
                                  sort: row => row.max,
                                  cell: row => duration(row.max),
                              },
                          ],
                          list,
                          {caption: title, order: [1, true]},
                      ).node,
                  ),
              )
            : null;
    };
    const missing = totals.reduce((sum, one) => sum + one.count, 0) - bars.length;
    append(view, [
        card(
            "Streams over time",
            "Kernels, copies and fills in simulated time, by stream as NVIDIA's tools number them (7 is the default stream), and the API calls of the host (predicted).",
            frame,
            el(
                "div",
                {class: "tools"},
                el(
                    "button",
                    {type: "button", "data-tip": "See more time", onclick: () => zoom(2)},
                    "−",
                ),
                el(
                    "button",
                    {
                        type: "button",
                        "data-tip": "See less time: or Ctrl and the wheel; drag to move",
                        onclick: () => zoom(0.5),
                    },
                    "+",
                ),
                el(
                    "button",
                    {
                        type: "button",
                        onclick: () => {
                            shown = [begin, end];
                            draw();
                        },
                    },
                    "All",
                ),
            ),
            missing > 0 ? note(`${count(missing)} more are in the sums only.`) : null,
        ),
        el(
            "div",
            {class: "columns"},
            el("div", {}, sums("On the GPU", "Sums over all, by name.", totals)),
            el("div", {}, sums("API calls", "Sums over all calls, by function.", callTotals)),
        ),
    ]);
}

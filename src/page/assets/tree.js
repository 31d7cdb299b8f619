// A block's threads from barrier to barrier: who works, who only goes along, who has finished; and whose data they read.
import {append, card, el, note, scroller} from "./dom.js";
import {count, percent} from "./format.js";
import {kernel} from "./state.js";
import {addressesOf, closeUpOf, hasLane, isBarrier, nobodyLooked} from "./closeup.js";
import {kernelHead} from "./kernel.js";
import {themeColor} from "./chart.js";
import {hideTip, showTipAt} from "./tips.js";

const idle = 1,
    works = 2;

// [{threads: Uint8Array, edges: [[from, to]], first, last}], a stretch between two barriers each.
export function phasesOf(seen) {
    const phases = [];
    const phase = index =>
        phases[index] || (phases[index] = {threads: new Uint8Array(seen.threads), edges: [], accesses: []});
    const last = new Int32Array(seen.threads).fill(-1);
    seen.byWarp.forEach((steps, warp) => {
        let at = 0;
        for (const step of steps) {
            const now = phase(at);
            for (let lane = 0; lane < 32; ++lane) {
                const thread = warp * 32 + lane;
                if (!hasLane(step.lanes, lane) || thread >= seen.threads) continue;
                if (!now.threads[thread]) now.threads[thread] = idle;
                last[thread] = Math.max(last[thread], at);
            }
            if (step.access && step.access.memory !== "constant" && step.access.memory !== "local")
                addressesOf(step.access).forEach((address, lane) => {
                    if (address === null) return;
                    now.threads[warp * 32 + lane] = works;
                    now.accesses.push({
                        thread: warp * 32 + lane,
                        address,
                        store: step.access.kind !== "load",
                        memory: step.access.memory,
                    });
                });
            if (isBarrier(step.instruction)) ++at;
        }
    });
    for (let index = 0; index < phases.length; ++index) phase(index);
    // Whose word is it that a thread reads: who wrote it in the block, or who would, by the stride of all that threads write in place.
    const own = new Map();
    for (const {accesses} of phases)
        for (const one of accesses)
            if (one.store && !own.has(`${one.memory}${one.thread}`))
                own.set(`${one.memory}${one.thread}`, one);
    for (const memory of ["shared", "global"]) {
        const list = [...own.values()]
            .filter(one => one.memory === memory)
            .sort((a, b) => a.thread - b.thread);
        if (list.length < 2) continue;
        const size = (list[1].address - list[0].address) / (list[1].thread - list[0].thread),
            base = list[0].address - list[0].thread * size;
        if (!(size > 0 && size <= 16)) continue;
        for (const {accesses, edges} of phases)
            for (const one of accesses) {
                const from = (one.address - base) / size;
                if (
                    !one.store &&
                    one.memory === memory &&
                    Number.isInteger(from) &&
                    from >= 0 &&
                    from < seen.threads &&
                    from !== one.thread
                )
                    edges.push([from, one.thread]);
            }
    }
    phases.forEach((now, index) => {
        now.done = thread => !seen.cut && last[thread] < index;
    });
    return phases;
}

export function treeView(view) {
    const of = kernel(),
        seen = closeUpOf(of);
    append(view, [kernelHead(of)]);
    if (!seen || !seen.steps.length) return append(view, [note(nobodyLooked)]);
    const phases = phasesOf(seen),
        rowHeight = 44,
        left = 92,
        top = 24;
    const size = Math.max(1.5, Math.min(14, (view.clientWidth - left - 80) / seen.threads)),
        height = top + (phases.length + 1) * rowHeight;
    const canvas = el("canvas", {
        role: "img",
        "aria-label": phases
            .map(
                (phase, index) =>
                    `stretch ${index + 1}: ${phase.threads.filter(state => state === works).length} of ${seen.threads} threads work`,
            )
            .join("; "),
    });
    const width = left + seen.threads * size + 10;
    const draw = () => {
        const ratio = devicePixelRatio || 1;
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        Object.assign(canvas.style, {width: `${width}px`, height: `${height}px`});
        const pen = canvas.getContext("2d");
        pen.scale(ratio, ratio);
        pen.font = "11px system-ui, sans-serif";
        const colors = {
            [works]: themeColor("lane-on"),
            [idle]: themeColor("lane-off"),
            0: themeColor("lane-done"),
        };
        pen.fillStyle = themeColor("muted");
        for (let warp = 0; warp * 32 < seen.threads; ++warp)
            if (32 * size > 50 || warp % 4 === 0)
                pen.fillText(`warp ${warp}`, left + warp * 32 * size + 2, 12);
        pen.fillText("data", 2, top + 12);
        for (let thread = 0; thread < seen.threads; ++thread) {
            pen.fillStyle = themeColor("bar");
            pen.fillRect(left + thread * size, top, Math.max(size - (size > 3 ? 1 : 0), 1), 16);
        }
        phases.forEach((phase, index) => {
            const y = top + (index + 1) * rowHeight;
            const active = phase.threads.filter(state => state === works).length;
            pen.fillStyle = themeColor("muted");
            pen.fillText(index === 0 ? "start" : `barrier ${index}`, 2, y + 8);
            pen.fillStyle = themeColor("ink");
            pen.fillText(`${count(active)} work`, 2, y + 22);
            if (phase.edges.length <= 2000) {
                pen.strokeStyle = themeColor("accent");
                pen.globalAlpha = Math.max(0.12, Math.min(0.8, 24 / phase.edges.length));
                pen.lineWidth = 1;
                for (const [from, to] of phase.edges) {
                    pen.beginPath();
                    pen.moveTo(left + (from + 0.5) * size, y - rowHeight + 17);
                    pen.lineTo(left + (to + 0.5) * size, y);
                    pen.stroke();
                }
                pen.globalAlpha = 1;
            }
            phase.threads.forEach((state, thread) => {
                pen.fillStyle = colors[phase.done(thread) ? 0 : state || idle];
                pen.fillRect(left + thread * size, y, Math.max(size - (size > 3 ? 1 : 0), 1), 16);
            });
            pen.strokeStyle = themeColor("panel");
            for (let warp = 1; warp * 32 < seen.threads; ++warp) {
                pen.beginPath();
                pen.moveTo(left + warp * 32 * size - 0.5, y - 2);
                pen.lineTo(left + warp * 32 * size - 0.5, y + 18);
                pen.stroke();
            }
        });
    };
    canvas.addEventListener("mousemove", event => {
        const box = canvas.getBoundingClientRect(),
            thread = Math.floor((event.clientX - box.left - left) / size),
            index = Math.floor((event.clientY - box.top - top) / rowHeight) - 1;
        const phase = phases[index];
        if (!phase || thread < 0 || thread >= seen.threads) return hideTip();
        const from = phase.edges.filter(edge => edge[1] === thread).map(edge => edge[0]);
        showTipAt(
            event.clientX,
            event.clientY,
            `thread ${thread} (warp ${thread >> 5}, lane ${thread & 31})`,
            phase.done(thread)
                ? "has finished"
                : phase.threads[thread] === works
                  ? "works: it loads or stores"
                  : "goes along: no access of its own",
            from.length ? `reads what is thread ${[...new Set(from)].slice(0, 6).join(", ")}'s` : "",
        );
    });
    canvas.addEventListener("mouseleave", hideTip);
    const shares = phases.map(phase => phase.threads.filter(state => state === works).length / seen.threads);
    const warpsBusy = phases.map(phase => {
        let n = 0;
        for (let warp = 0; warp < seen.warps; ++warp)
            n += phase.threads.subarray(warp * 32, warp * 32 + 32).some(state => state === works);
        return n;
    });
    append(view, [
        card(
            "Threads from barrier to barrier",
            "The threads of the first block. A thread works in a stretch if it loads from or stores to global or shared memory there; lines lead from the thread whose word is read. A reduction is a tree.",
            el(
                "p",
                {class: "legend"},
                [
                    ["lane-on", "works"],
                    ["lane-off", "goes along, idle"],
                    ["lane-done", "has finished"],
                ].map(([color, text]) =>
                    el("span", {}, el("i", {class: "dot", style: {background: `var(--${color})`}}), text),
                ),
            ),
            seen.cut
                ? note(
                      "The steps that were kept end before the block does: the last stretches are missing or not whole.",
                  )
                : null,
            scroller("Threads from barrier to barrier", canvas),
            note(
                `On average ${percent((shares.reduce((a, b) => a + b, 0) / shares.length) * 100, 0)} of the threads work in a stretch, in ${(warpsBusy.reduce((a, b) => a + b, 0) / warpsBusy.length).toFixed(1)} of ${seen.warps} warps.`,
            ),
        ),
    ]);
    draw();
}

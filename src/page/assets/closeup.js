// What was seen from near of a kernel's first launch: the steps of its first block's warps, with lanes and addresses.
import {instructionsOf} from "./data.js";

const decoded = new WeakMap();

// {warps, lanes, steps: [{index, cycle, length, warp, position, lanes, reason, …, access}], byWarp: [[step]], end}; null where nobody looked.
export function closeUpOf(kernel) {
    if (!kernel.close_up) return null;
    if (decoded.has(kernel)) return decoded.get(kernel);
    const seen = kernel.close_up,
        columns = seen.issues,
        instructions = instructionsOf(kernel);
    const threads = seen.block.reduce((a, b) => a * b);
    const steps = columns.cycle.map((cycle, index) => ({
        index,
        cycle,
        length: columns.length[index],
        warp: columns.warp[index],
        position: columns.position[index],
        lanes: columns.lanes[index] >>> 0,
        reason: columns.reason[index],
        ready: cycle - columns.ready[index],
        throttle: columns.throttle[index],
        free: cycle - columns.free[index],
        access: columns.access[index] < 0 ? null : seen.accesses[columns.access[index]],
        instruction: instructions[columns.position[index]],
    }));
    const byWarp = Array.from({length: seen.warps}, () => []);
    for (const step of steps) byWarp[step.warp].push(step);
    const result = {
        ...seen,
        threads,
        steps,
        byWarp,
        end: steps.reduce((end, step) => Math.max(end, step.cycle + step.length), 1),
    };
    decoded.set(kernel, result);
    return result;
}

export const bits = mask => {
    let n = 0;
    for (let m = mask >>> 0; m; m &= m - 1) ++n;
    return n;
};
export const hasLane = (mask, lane) => ((mask >>> lane) & 1) === 1;

// The lanes that a warp has threads for.
export function fullMask(seen, warp) {
    const threads = Math.min(32, seen.threads - warp * 32);
    return threads >= 32 ? 0xffffffff : (2 ** threads - 1) >>> 0;
}

export const isBarrier = instruction => instruction && /^(?:@!?\S+ )?(?:bar|barrier)\b/.test(instruction.ptx);

// By lane: its address, or null where it takes no part.
export function addressesOf(access) {
    let next = 0;
    return Array.from({length: 32}, (_, lane) =>
        hasLane(access.lanes, lane) ? access.base + access.offsets[next++] : null,
    );
}

export const nobodyLooked =
    "This run has no steps of this kernel. They are kept of the first launch of each kernel, of 200 kernels at most, and of NVIDIA's GPUs only: the times of AMD's are reckoned from counts, and no wavefront is followed.";

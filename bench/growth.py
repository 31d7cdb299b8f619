#!/usr/bin/env python3
"""How time and memory grow with grid, block, launches and kernel: runs bench/growth.cu in ever larger sizes and
writes docs/growth.md with its plots (docs/images/growth-*.svg). `make growth` calls it."""
import argparse
import math
import os
import pathlib
import platform
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# How a program is run: the name in the plots, the command, and its colour.
MODES = [
    ("run --clock wall", ["run", "--clock", "wall"], "#7a7a7a"),
    ("run", ["run"], "#2a78d6"),
    ("profile", ["profile"], "#d6602a"),
    ("profile --sample", ["profile", "--sample"], "#1c9e5a"),
]
# The first run of all, which compiles, where the kernel grows.
COMPILING = "the first profile"
COLOURS = {name: colour for name, _, colour in MODES} | {COMPILING: "#8b4fc6"}
BASE = {"blocks": 4096, "threads": 256, "launches": 1, "statements": 8}
# What grows: its name, its title, and its values.
AXES = [
    ("blocks", "blocks of 256 threads in the grid", [2**k for k in range(8, 21, 2)]),
    ("threads", "threads in a block, 2^20 in all", [32, 64, 128, 256, 512, 1024]),
    ("launches", "launches of 64 blocks", [1, 10, 100, 1000, 10000]),
    ("statements", "multiply-adds in the kernel, one after the other", [2**k for k in range(4, 13, 2)]),
]


def arguments(axis, value):
    sizes = dict(BASE, **{axis: value})
    if axis == "threads":
        sizes["blocks"] = 2**20 // value
    if axis == "launches":
        sizes["blocks"] = 64
    return sizes


def measure(lockstep, mode, sizes, cache):
    """Processor seconds of a run, megabytes at most, and processor seconds of the run before it, which may compile."""
    command = [lockstep, *mode, f"-DSTATEMENTS={sizes['statements']}", str(ROOT / "bench/growth.cu"), "--"]
    command += [str(sizes[name]) for name in ("blocks", "threads", "launches")]
    environment = dict(os.environ, LOCKSTEP_CACHE=cache)
    used = []
    for _ in range(2):  # the first compiles
        child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        message = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        if status:
            raise SystemExit(f"{' '.join(command)}: status {status}\n{message}")
        used.append(usage.ru_utime + usage.ru_stime)
    return used[1], usage.ru_maxrss / 1024, used[0]


def nice(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def plot(title, unit, values, series):
    """Lines over two logarithmic axes, as SVG."""
    width, height, left, top, right, bottom = 520, 330, 62, 34, 150, 46
    points = [y for line in series.values() for y in line]
    low, high = math.floor(math.log10(min(points))), math.ceil(math.log10(max(points)))
    high = max(high, low + 1)
    first, last = math.log(values[0]), math.log(values[-1])

    def place(x, y):
        across = (math.log(x) - first) / (last - first)
        up = (math.log10(y) - low) / (high - low)
        return left + across * (width - left - right), height - bottom - up * (height - top - bottom)

    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{left}" y="18" font-size="13">{unit}</text>',
        f'<text x="{left + (width - left - right) / 2}" y="{height - 10}" text-anchor="middle">{title}</text>',
    ]
    for power in range(low, high + 1):
        x, y = place(values[0], 10**power)
        text.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" stroke="#dddddd"/>')
        text.append(f'<text x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{nice(10.0**power)}</text>')
    for value in values:
        x, y = place(value, 10**low)
        text.append(f'<text x="{x:.1f}" y="{y + 16:.1f}" text-anchor="middle">{value:,}</text>')
    ends = []
    for name, line in series.items():
        colour = COLOURS[name]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(v, y) for v, y in zip(values, line)))
        text.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for value, y in zip(values, line):
            x, y = place(value, y)
            text.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>')
        ends.append([place(values[-1], line[-1])[1], name, colour])
    # Names at the lines' ends, none over another.
    ends.sort()
    for at, end in enumerate(ends):
        end[0] = max(end[0], ends[at - 1][0] + 14 if at else top)
        text.append(f'<text x="{width - right + 8}" y="{end[0] + 4:.1f}" fill="{end[2]}">{end[1]}</text>')
    return "\n".join(text + ["</svg>", ""])


def exponent(values, line):
    """Of the growth between the last two sizes: 1 is linear."""
    return math.log(line[-1] / line[-2]) / math.log(values[-1] / values[-2])


def processor():
    lines = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout.splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("Model name")), "unknown")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lockstep", default=str(ROOT / "build/lockstep"))
    options = parser.parse_args()
    images = ROOT / "docs/images"
    page = [
        "# How time and memory grow",
        "",
        "Written by `make growth` (`bench/growth.py`, which runs [`bench/growth.cu`](../bench/growth.cu)); the next run",
        f"replaces it. {os.cpu_count()} cores, {processor()} ({platform.machine()}). Time is processor time, user and system, of the whole",
        "command with everything compiled before (but for the first profile of a kernel that grows, which compiles it); memory is the most that a process of it had. The last column is the exponent of the growth",
        "between the last two sizes: 1 is linear, 0 is none.",
    ]
    with tempfile.TemporaryDirectory() as cache:
        for axis, title, values in AXES:
            seconds = {name: [] for name, _, _ in MODES}
            megabytes = {name: [] for name, _, _ in MODES}
            if axis == "statements":
                seconds[COMPILING] = []
            for value in values:
                # The profile first: nothing of this kernel is compiled then.
                for name, mode, _ in sorted(MODES, key=lambda one: one[0] != "profile"):
                    cpu, memory, first = measure(options.lockstep, mode, arguments(axis, value), cache)
                    if COMPILING in seconds and name == "profile":
                        seconds[COMPILING].append(first)
                    seconds[name].append(cpu)
                    megabytes[name].append(memory)
                    print(f"{axis} {value} {name}: {cpu:.2f} s, {memory:.0f} MB", flush=True)
            page += ["", f"## {title[0].upper()}{title[1:]}", ""]
            for what, unit, series in (("time", "seconds of processor time", seconds), ("memory", "megabytes", megabytes)):
                file = images / f"growth-{axis}-{what}.svg"
                file.write_text(plot(title, unit, values, series))
                page.append(f"![{unit} against {title}](images/{file.name})")
            page += ["", f"| {axis} | " + " | ".join(f"{v:,}" for v in values) + " | exponent |"]
            page += ["|---|" + "---|" * (len(values) + 1)]
            for unit, series in (("s", seconds), ("MB", megabytes)):
                for name, line in series.items():
                    cells = " | ".join(nice(v) for v in line)
                    page.append(f"| `{name}`, {unit} | {cells} | {exponent(values, line):.2f} |")
    (ROOT / "docs/growth.md").write_text("\n".join(page) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What `lockstep profile --sample` costs in accuracy: profiles programs whole and by representative blocks, and
prints a row for each kernel that was executed in part, as a Markdown table. Without programs: bench/sample.cu.
    bench/sample-error.py [--lockstep build/lockstep] [PROGRAM.cu …] [-- OPTIONS OF lockstep profile]"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIME = "gpu__time_duration.sum"
# Counts that are compared; the largest difference is shown.
COUNTS = [
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__inst_executed_op_global_ld.sum",
    "smsp__inst_executed_op_global_st.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
]
READ = "dram__bytes_read.sum"
OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"


def launches(lockstep, program, options):
    """The launches of a run, and its processor seconds when all is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "out.json")
        metrics = ",".join([TIME, READ, OCCUPANCY, *COUNTS])
        command = [lockstep, "profile", "--launches", "--json", file, "--metrics", metrics, *options, program]
        for _ in range(2):
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            usage = os.wait4(child.pid, 0)[2]
            child.returncode = 0
        with open(file) as results:
            return json.load(results)["launches"], usage.ru_utime + usage.ru_stime


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        arguments, options = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    lockstep = str(ROOT / "build/lockstep")
    if arguments[:1] == ["--lockstep"]:
        lockstep, arguments = arguments[1], arguments[2:]
    times, counts, seconds = [], [], [0, 0]
    print("| kernel | blocks executed | of | time | largest difference of a count | DRAM bytes read | occupancy, points |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for program in arguments or [str(ROOT / "bench/sample.cu")]:
        whole, whole_seconds = launches(lockstep, program, options)
        part, part_seconds = launches(lockstep, program, [*options, "--sample"])
        seconds = [seconds[0] + whole_seconds, seconds[1] + part_seconds]
        for a, b in zip(whole, part, strict=True):
            blocks = a["grid"][0] * a["grid"][1] * a["grid"][2]
            if b["executed_blocks"] == blocks:
                continue
            x, y = a["metrics"], b["metrics"]
            off = {m: y[m] / x[m] - 1 for m in [TIME, READ, *COUNTS] if x.get(m)}
            worst = max((off[m] for m in COUNTS if m in off), key=abs, default=0)
            times.append(abs(off[TIME]))
            counts.append(abs(worst))
            print(
                f"| `{a['kernel'].split('(')[0]}` | {b['executed_blocks']:,} | {blocks:,} | {off[TIME]:+.2%} | "
                f"{worst:+.2%} | {off.get(READ, 0):+.1%} | {y[OCCUPANCY] - x[OCCUPANCY]:+.1f} |"
            )
    print()
    for name, values in (("time", times), ("largest difference of a count", counts)):
        print(
            f"{name}: {statistics.mean(values):.2%} on average, {statistics.median(values):.2%} at the median, "
            f"{max(values):.2%} at most, over {len(values)} launches"
        )
    print(f"processor time: {seconds[0]:.2f} s whole, {seconds[1]:.2f} s with --sample")


if __name__ == "__main__":
    main()

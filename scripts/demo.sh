#!/bin/sh
# The reduction ladder on a simulated H200, beside what a real one did: demo.sh LOCKSTEP [OPTIONS OF lockstep profile]
#
# The program and the recording are those of tests/validation: nine kernels that add up 2^24 integers, counted and timed with
# Nsight Compute. Nothing here knows what comes out: the order and the first finding are read from the figures.
set -eu
lockstep=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
program=tests/validation/programs/reduce_int.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! "$lockstep" profile --source --launches --csv "$work/predicted.csv" --metrics \
    gpu__time_duration.sum,smsp__inst_executed.sum "$@" "$root/$program" >"$work/output" 2>&1; then
    cat "$work/output"
    exit 1
fi

awk -v program="$program" -v path="$root/$program" '
# A line of CSV into `field`, by number from 1.
function split_line(line,    count, at, quoted, text, c) {
    count = 1; text = ""; quoted = 0
    for (at = 1; at <= length(line); ++at) {
        c = substr(line, at, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { field[count++] = text; text = "" }
        else text = text c
    }
    field[count] = text
    return count
}
function read_header(line,    count, i) {
    count = split_line(line)
    for (i = 1; i <= count; ++i) column[field[i]] = i
}
function value(name) { return field[column[name]] }
# "void unrolling<2>(int *, …)" is unrolling<2>.
function short(kernel) {
    sub(/^void /, "", kernel); sub(/\(.*/, "", kernel)
    return kernel
}
# The line of source that "  file:9: …" names.
function line_of(text,    parts, number, line, at) {
    split(text, parts, ":")
    while ((getline line < path) > 0)
        if (++at == parts[2] + 0) break
    sub(/^ */, "", line)
    return line
}
function bar(length_of_it,    text, i) {
    for (i = 0; i < int(length_of_it + 0.5); ++i) text = text "#"
    return text
}
FNR == 1 && FILENAME != ARGV[1] { for (i in column) delete column[i]; read_header($0); next }
# What the source view says of the first kernel: where most of its branches part their warps.
FILENAME == ARGV[1] {
    if ($1 == "Kernel:") ++kernels
    if (kernels == 1 && /branches part their warp/ && waste == "") waste = $0
    next
}
FILENAME == ARGV[2] {
    split_line($0)
    if (value("program") != "reduce_int") next
    real_us[value("kernel")] = value("gpu__time_duration.sum") / 1000
    real_instructions[value("kernel")] = value("smsp__inst_executed.sum") + 0
    next
}
{
    split_line($0)
    kernel = value("kernel")
    if (!(kernel in real_us)) { print "demo: no measurement of " kernel; failed = 1; exit 1 }
    ++steps
    name[steps] = short(kernel)
    us[steps] = value("gpu__time_duration.sum") / 1000
    real[steps] = real_us[kernel]
    instructions[steps] = value("smsp__inst_executed.sum") + 0
    counted[steps] = real_instructions[kernel]
    longest = us[steps] > longest ? us[steps] : longest
    longest = real[steps] > longest ? real[steps] : longest
    apart = us[steps] / real[steps] - 1
    sum_apart += apart < 0 ? -apart : apart
}
END {
    if (failed) exit 1
    if (steps == 0) { print "demo: nothing was profiled"; exit 1 }
    printf "%d ways to add up 16,777,216 integers, on an NVIDIA H200 that is not there:\n\n", steps
    printf "%-22s %12s %12s\n", "step", "predicted", "measured"
    for (i = 1; i <= steps; ++i)
        printf "%-22s %9.1f us %9.1f us  %s\n", name[i], us[i], real[i], bar(40 * us[i] / longest)
    printf "\nMeasured on a real H200 (tests/validation/h200.csv); the prediction is %.0f %% off on average.\n", 100 * sum_apart / steps
    # Pairs that the real one tells apart, by 3 % at least.
    for (i = 1; i <= steps; ++i)
        for (j = 1; j <= steps; ++j)
            if (real[i] > 1.03 * real[j]) {
                ++pairs
                if (us[i] <= us[j]) wrong = wrong sprintf("\n  %s is predicted to be faster than %s", name[i], name[j])
            }
    if (wrong == "")
        printf "Of each two steps that differ by 3 %% or more, the right one is faster: %d of %d pairs.\n", pairs, pairs
    else
        printf "Of %d pairs of steps that differ by 3 %% or more, these are the wrong way round:%s\n", pairs, wrong

    printf "\nFirst finding: why is %s slow? It takes %.1f times as long as %s, which adds up the same pairs.\n", \
        name[1], us[1] / us[2], name[2]
    printf "  Its warps execute %.1f times the instructions (%.1f times on the real one).\n", \
        instructions[1] / instructions[2], counted[1] / counted[2]
    if (waste != "") { sub(/^ */, "  ", waste); print waste ":"; printf "    %s\n", line_of(waste) }
    printf "All of it: build/lockstep profile --source %s\n", program
}' "$work/output" "$root/tests/validation/h200.csv" "$work/predicted.csv"

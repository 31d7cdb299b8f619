"""Reads the CSV that ncu prints; one line a launch: kernel, blocks, threads, duration, cycles."""
import csv
import sys

lines = [line for line in sys.stdin if line.startswith('"')]
columns = ["Kernel Name", "launch__grid_size", "launch__block_size", "gpu__time_duration.sum", "sm__cycles_elapsed.max"]
for number, row in enumerate(csv.DictReader(lines)):
    if number == 0:
        continue  # the row of units
    print(",".join(row[column].split("(")[0].replace(",", "") for column in columns))

"""Reads the CSV that ncu prints; one line a launch: kernel, blocks, threads, and a warp's instructions and cycles by state."""
import csv
import sys

states = ["selected", "wait", "branch_resolving", "no_instruction", "not_selected", "imc_miss", "short_scoreboard", "mio_throttle"]
prefix, suffix = "smsp__average_warps_issue_stalled_", "_per_issue_active.ratio"
lines = [line for line in sys.stdin if line.startswith('"')]
print(",".join(["kernel", "grid", "block", "instructions", *states, "all_states"]))
for number, row in enumerate(csv.DictReader(lines)):
    if number == 0:
        continue  # the row of units
    instructions = float(row["smsp__average_inst_executed_per_warp.ratio"].replace(",", ""))
    cycles = {name[len(prefix):-len(suffix)]: float(value.replace(",", "")) * instructions
              for name, value in row.items() if name.startswith(prefix)}
    kernel = row["Kernel Name"].split("(")[0].replace("void ", "").replace(",", "")
    figures = [instructions, *(cycles[state] for state in states), sum(cycles.values())]
    print(",".join([kernel, row["launch__grid_size"], row["launch__block_size"], *(f"{figure:.6g}" for figure in figures)]))

#!/bin/sh
# Records what a GPU counts for the probes: run on a machine with a GPU, nvcc and Nsight Compute.
#   tests/validation/record.sh FOLDER      leaves what ncu printed in FOLDER/PROBE.csv
# Then, on any machine:
#   build/tests/validation/collect_ncu FOLDER > tests/validation/GPU-probes.csv
set -eu
cd "$(dirname "$0")"
folder=$1
mkdir -p "$folder"
metrics=$(paste -sd, metrics.txt)
for source in probes/*.cu; do
    name=$(basename "$source" .cu)
    nvcc -std=c++17 -O3 -arch=native -lineinfo -w "$source" -o "$folder/$name"
    "$folder/$name" > "$folder/$name.results"
    ncu --clock-control none --csv --page raw --print-units base --metrics "$metrics" "$folder/$name" > "$folder/$name.csv"
    rm "$folder/$name"
done

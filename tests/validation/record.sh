#!/bin/sh
# Records what a GPU counts for the probes, and for the programs of tensor cores and clusters: run on a machine
# with a GPU, nvcc and Nsight Compute.
#   tests/validation/record.sh FOLDER      leaves what ncu printed in FOLDER/PROGRAM.csv
# Then, on any machine:
#   build/tests/validation/collect_ncu FOLDER > tests/validation/GPU-probes.csv
#   build/tests/validation/collect_ncu FOLDER tensor_rates tensor_products … > tests/validation/GPU-tensor.csv
set -eu
cd "$(dirname "$0")"
folder=$1
mkdir -p "$folder"
metrics=$(paste -sd, metrics.txt)
for source in probes/*.cu programs/tensor_*.cu programs/warpgroup_*.cu programs/clusters.cu; do
    name=$(basename "$source" .cu)
    target=native
    case $name in warpgroup_*) target=sm_90a ;; esac
    nvcc -std=c++17 -O3 -arch=$target -lineinfo -w "$source" -o "$folder/$name"
    "$folder/$name" > "$folder/$name.results"
    ncu --clock-control none --csv --page raw --print-units base --metrics "$metrics" "$folder/$name" > "$folder/$name.csv"
    rm "$folder/$name"
done

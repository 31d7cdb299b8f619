// The tables of a run file, as docs/run-file.md describes them. A change here is a new version.
#pragma once

namespace lockstep::report {

constexpr int run_file_version = 12;
constexpr int run_file_application = 0x4c53'5052;  // "LSPR": what `file` and we know a run file by

// Launches of one kernel that keep a row of their own; and activities, or calls, of one name in each process.
constexpr int most_launch_rows = 2000;

// How `process.ended` begins where a signal, whose number follows, ended it.
constexpr const char* ended_by_signal = "signal ";

// What `total` has sums of.
constexpr const char* activity_totals = "activity";
constexpr const char* call_totals = "call";

// Kernels that have a picture of their first launch.
constexpr int most_close_ups = 200;

// Kernels and reasons that failures keep apart.
constexpr int most_failure_rows = 1000;

constexpr const char* run_file_schema = R"sql(
CREATE TABLE run (
    lockstep_version TEXT NOT NULL,
    command TEXT NOT NULL,
    started TEXT NOT NULL,
    measured_by TEXT NOT NULL
);
CREATE TABLE device (
    number INTEGER PRIMARY KEY,
    gpu TEXT NOT NULL,
    gpu_name TEXT NOT NULL,
    compute_capability TEXT NOT NULL,
    validated INTEGER NOT NULL
);
CREATE TABLE metric (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    aliases TEXT NOT NULL,
    unit TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    definition TEXT NOT NULL
);
CREATE TABLE module (
    id INTEGER PRIMARY KEY,
    ptx TEXT NOT NULL,
    compiler TEXT NOT NULL,
    optimised INTEGER NOT NULL,
    validated TEXT NOT NULL
);
CREATE TABLE kernel (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    module INTEGER NOT NULL REFERENCES module (id),
    device INTEGER NOT NULL REFERENCES device (number),
    launches INTEGER NOT NULL DEFAULT 0,
    kept INTEGER NOT NULL DEFAULT 0,
    faults INTEGER NOT NULL DEFAULT 0,
    UNIQUE (name, module, device)
);
CREATE TABLE left_out (
    kernel TEXT PRIMARY KEY,
    launches INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE failure (
    kernel TEXT NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    launches INTEGER NOT NULL,
    PRIMARY KEY (kernel, kind, reason)
) WITHOUT ROWID;
CREATE TABLE process (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pid INTEGER NOT NULL,
    began INTEGER NOT NULL,
    ended TEXT
);
CREATE TABLE launch (
    id INTEGER PRIMARY KEY,
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    process INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    grid_x INTEGER NOT NULL, grid_y INTEGER NOT NULL, grid_z INTEGER NOT NULL,
    block_x INTEGER NOT NULL, block_y INTEGER NOT NULL, block_z INTEGER NOT NULL,
    dynamic_shared INTEGER NOT NULL,
    executed_blocks INTEGER,
    depth INTEGER NOT NULL,
    parent TEXT,
    bound TEXT,
    fault TEXT
);
CREATE TABLE value (
    launch INTEGER NOT NULL REFERENCES launch (id),
    metric INTEGER NOT NULL REFERENCES metric (id),
    value REAL NOT NULL,
    PRIMARY KEY (launch, metric)
) WITHOUT ROWID;
CREATE TABLE aggregate (
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    metric INTEGER NOT NULL REFERENCES metric (id),
    count INTEGER NOT NULL,
    min REAL NOT NULL, max REAL NOT NULL, sum REAL NOT NULL,
    PRIMARY KEY (kernel, metric)
) WITHOUT ROWID;
CREATE TABLE instruction (
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    position INTEGER NOT NULL,
    file TEXT NOT NULL, line INTEGER NOT NULL,
    ptx_line INTEGER NOT NULL, ptx TEXT NOT NULL, machine TEXT NOT NULL,
    executed INTEGER NOT NULL DEFAULT 0,
    active INTEGER NOT NULL DEFAULT 0,
    predicated_on INTEGER NOT NULL DEFAULT 0,
    branches INTEGER NOT NULL DEFAULT 0, divergent_branches INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0,
    sectors INTEGER NOT NULL DEFAULT 0, ideal_sectors INTEGER NOT NULL DEFAULT 0,
    wavefronts INTEGER NOT NULL DEFAULT 0, ideal_wavefronts INTEGER NOT NULL DEFAULT 0,
    unsynchronised INTEGER NOT NULL DEFAULT 0,
    pattern TEXT NOT NULL DEFAULT 'none',
    pattern_stride INTEGER NOT NULL DEFAULT 0, pattern_run INTEGER NOT NULL DEFAULT 0,
    pattern_requests INTEGER NOT NULL DEFAULT 0, pattern_surplus INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kernel, position)
) WITHOUT ROWID;
CREATE TABLE warp_cycles (
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    position INTEGER NOT NULL,
    state TEXT NOT NULL,
    cycles INTEGER NOT NULL,
    PRIMARY KEY (kernel, position, state)
) WITHOUT ROWID;
CREATE TABLE activity (
    id INTEGER PRIMARY KEY,
    process INTEGER NOT NULL,
    name TEXT NOT NULL,
    "begin" REAL NOT NULL, "end" REAL NOT NULL,
    device INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    source TEXT NOT NULL, target TEXT NOT NULL,
    call INTEGER NOT NULL,
    grid_x INTEGER NOT NULL, grid_y INTEGER NOT NULL, grid_z INTEGER NOT NULL,
    block_x INTEGER NOT NULL, block_y INTEGER NOT NULL, block_z INTEGER NOT NULL,
    registers INTEGER NOT NULL,
    static_shared INTEGER NOT NULL, dynamic_shared INTEGER NOT NULL
);
CREATE TABLE call (
    id INTEGER PRIMARY KEY,
    process INTEGER NOT NULL,
    number INTEGER NOT NULL,
    function TEXT NOT NULL,
    "begin" REAL NOT NULL, "end" REAL NOT NULL
);
CREATE TABLE total (
    what TEXT NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL, kept INTEGER NOT NULL,
    min REAL NOT NULL, max REAL NOT NULL, sum REAL NOT NULL,
    PRIMARY KEY (what, name)
) WITHOUT ROWID;
CREATE TABLE source (
    file TEXT PRIMARY KEY,
    text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE close_up (
    kernel INTEGER PRIMARY KEY REFERENCES kernel (id),
    picture TEXT NOT NULL
);
CREATE TABLE pending (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    process INTEGER NOT NULL,
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    record BLOB NOT NULL
);
)sql";

}  // namespace lockstep::report

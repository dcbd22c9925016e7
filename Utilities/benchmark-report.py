#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Puts a recorded benchmark into the documents.

    benchmark-report.py [--check] [RECORD]

RECORD (default: Documentation/benchmarks/h200.json) was written by CudaFiltersBenchmark --record. So was
Documentation/benchmarks/components-h200.json, with the rows of connected components, pixels-h200.json, with those of
functions of pixels, and interaction-h200.json, with those of sliders that are dragged; CudaFiltersEdgeQuality wrote
Documentation/benchmarks/edge-quality-h200.json, CudaFiltersPages gallery-h200.json, and compare-backends.py --csv
plastimatch-*-h200.csv. check-h200.json is a later run of some workloads. Rewrites the tables between the marks
<!-- benchmark NAME --> and <!-- end --> in README.md and Documentation/*.md, and draws Documentation/benchmarks/*.png, if
Matplotlib is there. --check changes nothing, and fails if a table is not that of the record.
"""
import csv
import json
import math
import pathlib
import re
import statistics
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = PROJECT / "Documentation" / "benchmarks"
NOT_RECORDED = "(Not in the record.)"


def read_record(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def number(value):
    """Three digits, and no more than are known."""
    if value is None:
        return ""
    if value >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{float(f'{value:.3g}'):g}"


def times(ours, other):
    return "" if other is None else f"{number(other / ours)}x"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| --- " + "| ---: " * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


STRATEGIES = {"tile-sweeps": "tiles, swept", "tile-diagonals": "tiles, diagonals", "line-sweeps": "lines"}


def filters_of(record):
    return [row for row in record["rows"] if "itk_cpu_ms" in row and not row["workload"].endswith("/series")]


def get_megapixels(workload):
    sizes = re.search(r"\d+(x\d+)+", workload)[0].split("x")
    return math.prod(int(n) for n in sizes) / 1e6


def series_of(record):
    """The rows of the edge detector on images of many sizes, with the millions of pixels."""
    rows = [row for row in record["rows"] if re.fullmatch("canny/.*/series", row["workload"])]
    return [(get_megapixels(row["workload"]), row) for row in rows]


def distance_series_of(record):
    """The rows of distances in images of many sizes, planes and volumes."""
    rows = [row for row in record["rows"] if re.fullmatch("distance/.*/series", row["workload"])]
    is_volume = lambda row: row["workload"].count("x") == 2
    return [row for row in rows if not is_volume(row)], [row for row in rows if is_volume(row)]


def kinds_table(record, kinds):
    """The rows whose workloads begin with certain words."""
    head = ["workload", "on the device, ms", "from and to the host, ms", "from an itk::Image, ms", "ITK on the CPU, ms"]
    rows = [
        row for row in record["rows"] if row["workload"].startswith(kinds) and not row["workload"].endswith("wavefront")
    ]
    names = []
    for row in rows:
        names += [name for name in row.get("peers", {}) if name not in names]
    columns = ["ours_ms", "end_to_end_ms", "plain_end_to_end_ms", "itk_cpu_ms"]
    cells = [
        [row["workload"]]
        + [number(row.get(column)) for column in columns]
        + [number(row.get("peers", {}).get(name)) for name in names]
        for row in rows
    ]
    return table(head + [f"{name} on the device, ms" for name in names], cells) if cells else NOT_RECORDED


def distances_table(record):
    return kinds_table(record, ("distance/", "danielsson/", "dilate/", "hausdorff/"))


def components_table(record):
    return kinds_table(record, ("components/", "areas/", "measurements/", "relabel/"))


def large_components_of(record):
    return [row for row in record["rows"] if row["workload"].startswith("components/") and "stage objects" in row]


def large_components_table(record):
    """The volume of 8.6 billion voxels, with the time of each stage."""
    rows = large_components_of(record)
    stages = []
    for row in rows:
        stages += [key for key in row if key.startswith("stage ") and key not in stages]
    head = ["workload", "tiles", "objects", "from and to the host, ms"] + [f"{stage[6:]}, ms" for stage in stages]
    cells = [
        [row["workload"], number(row.get("tiles")), number(row["objects"]), number(row["end_to_end_ms"])]
        + [number(row.get(stage)) for stage in stages]
        for row in rows
    ]
    return table(head, cells) if cells else NOT_RECORDED


def wavefronts_table(record):
    """The study of wavefronts, next to exact distances."""
    rows = {row["workload"]: row for row in record["rows"]}
    head = ["input", "exact, ms", "4 neighbours, ms", "largest error", "8 neighbours, ms", "largest error"]
    cells = []
    for name in [name[: -len("/wavefront")] for name in rows if name.endswith("/wavefront")]:
        cells.append([name, number(rows[name].get("ours_ms"))])
        for suffix in ("/wavefront", "/full-wavefront"):
            row = rows.get(name + suffix, {})
            cells[-1] += [number(row.get("ours_ms")), number(row.get("largest_error"))]
    return table(head, cells) if cells else NOT_RECORDED


def strategies_of(record, is_series):
    """The rows of reconstruction, by workload and strategy."""
    rows = {}
    for row in record["rows"]:
        match = re.fullmatch(r"reconstruction/(.*?)(/series)?/([a-z]+-[a-z]+)", row["workload"])
        if match and bool(match[2]) == is_series:
            rows.setdefault(match[1], {})[match[3]] = row
    return rows


def strategies_table(record, is_series=False):
    head = ["workload"]
    for name in STRATEGIES.values():
        head += [f"{name}, ms"] + (["visits a tile", "sweeps a visit"] if name.startswith("tiles") else ["sweeps"])
    rows = []
    for workload, strategies in strategies_of(record, is_series).items():
        cells = [workload]
        for strategy in STRATEGIES:
            row = strategies.get(strategy, {})
            cells.append(number(row.get("ours_ms")))
            if strategy.startswith("tile"):
                cells.append(number(row["visits"] / row["tiles"]) if row.get("tiles") else "")
                cells.append(number(row["sweeps"] / row["visits"]) if row.get("visits") else "")
            else:
                cells.append(number(row.get("sweeps")))
        rows.append(cells)
    return table(head, rows) if rows else NOT_RECORDED


def slide_table(record):
    rows = [row for row in record["rows"] if row["workload"].endswith("/slide")]
    if not rows:
        return NOT_RECORDED
    return table(
        ["slide", "gigapixels", "on the device, ms", "from and to itk::Image, ms"],
        [
            [
                row["workload"].split("/")[1],
                number(get_megapixels(row["workload"]) / 1000),
                number(row.get("ours_ms")),
                number(row.get("plain_end_to_end_ms")),
            ]
            for row in rows
        ],
    )


def filters_table(record):
    head = [
        "workload",
        "on the device, ms",
        "from and to the host, ms",
        "from an itk::Image, ms",
        "ITK on the CPU, ms",
        "fastest peer on the device, ms",
        "faster than ITK",
        "than the peer",
    ]
    rows = []
    for row in filters_of(record):
        ours, peer = row["ours_ms"], row.get("peer_ms")
        rows.append(
            [
                row["workload"],
                number(ours),
                number(row.get("end_to_end_ms")),
                number(row["plain_end_to_end_ms"]),
                number(row["itk_cpu_ms"]),
                f"{number(peer)} ({row['peer']})" if peer else "",
                times(row["plain_end_to_end_ms"], row["itk_cpu_ms"]),
                times(ours, peer),
            ]
        )
    cores = record["cpu_threads"]
    return (
        table(head, rows)
        + f"\n\n{record['gpu']}, driver {record['driver']}, {record['date']}; ITK on {cores} threads of the same server; "
        + f"source hash {record['source_hash']}. From and to the host: images in our containers; from an itk::Image: the input in ordinary memory, as readers "
        + "make it, which is also what is compared with ITK."
    )


def peers_table(record):
    names = []
    for row in record["rows"]:
        names += [name for name in row.get("peers", {}) if name not in names]
    rows = [
        [row["workload"], str(int(row["weights"])) if "weights" in row else "", number(row["ours_ms"])]
        + [number(row["peers"].get(name)) for name in names]
        for row in record["rows"]
        if "peers" in row
    ]
    return table(["workload", "weights per axis", "ours, ms"] + [name + ", ms" for name in names], rows)


def series_table(record):
    head = [
        "image",
        "million pixels",
        "on the device, ms",
        "from and to the host, ms",
        "from an itk::Image, ms",
        "ITK on the CPU, ms",
        "faster than ITK",
    ]
    if not series_of(record):
        return NOT_RECORDED
    return table(
        head,
        [
            [
                row["workload"].split("/")[1],
                number(pixels),
                number(row["ours_ms"]),
                number(row["end_to_end_ms"]),
                number(row["plain_end_to_end_ms"]),
                number(row["itk_cpu_ms"]),
                times(row["plain_end_to_end_ms"], row["itk_cpu_ms"]),
            ]
            for pixels, row in series_of(record)
        ],
    )


def stages_table(record):
    """The stages of the edge detector, in their order."""
    order = ["convolution along y and x", "edge candidates", "edge linking", "edge output"]
    row = next((row for row in record["rows"] if "stage edge linking" in row), None)
    if row is None:
        return NOT_RECORDED
    stages = {name: row["stage " + name] for name in order}
    total = sum(stages.values())
    return table(
        ["stage", "ms", "share"],
        [[name, number(value), f"{number(100 * value / total)}%"] for name, value in stages.items()],
    )


def quality_table(quality):
    """How well edges agree with ITK's."""
    head = [
        "images",
        "variance",
        "upper",
        "lower",
        "P_co",
        "P_nd",
        "P_fa",
        "worst P_co",
        "pixels that differ",
        "of ITK's edge pixels",
        "within 5 of the border",
        "share of such pixels",
        "in exact mode",
    ]
    rows = [
        [
            f"{row['images']} of {row['dimension']}-D",
            f"{row['variance']:g}",
            f"{row['upper']:g}",
            f"{row['lower']:g}",
            f"{row['p_co']:.6f}",
            f"{row['p_nd']:.6f}",
            f"{row['p_fa']:.6f}",
            f"{row['worst_p_co']:.6f}",
            f"{row['errors']}",
            f"{row['edges']:,}",
            f"{row['border_errors']}",
            f"{number(100 * row['border_pixels'] / row['pixels'])}%",
            f"{row['exact_errors']}",
        ]
        for row in quality["rows"]
    ]
    return (
        table(head, rows)
        + f"\n\n{quality['gpu']}, driver {quality['driver']}, {quality['date']}; "
        + f"source hash {quality['source_hash']}."
    )


def copies_table(record):
    rows = [
        [row["workload"].split("/", 1)[1], number(row["ours_ms"]), number(row["bytes"] / row["ours_ms"] / 1e6)]
        for row in record["rows"]
        if row["workload"].startswith("copy/")
    ]
    return table(["copy", "ms", "GB/s"], rows)


def study_table(record, experiment):
    """One row a variant, with the time at both sizes and the bandwidth of what must be moved: one read, one write."""
    variants = {}
    for row in record["rows"]:
        parts = row["workload"].split("/")
        if parts[0] == "study" and parts[1].startswith(experiment):
            variants.setdefault(parts[2], {})[parts[3]] = row
    rows = []
    for variant, sizes in variants.items():
        large = sizes["64Mi"]
        rows.append(
            [
                variant.replace("-", " "),
                number(sizes["10M"]["ours_ms"]) if "10M" in sizes else "",
                number(large["ours_ms"]),
                number(8 * large["pixels"] / large["ours_ms"] / 1e6),
            ]
        )
    return table(["variant", "10 million pixels, ms", "2^26 pixels, ms", "GB/s"], rows)


def pixels_table(record):
    """Functions of pixels, ours and those of other libraries."""
    rows = [row for row in record["rows"] if not row["workload"].startswith("skeleton-") and "ours_ms" in row]
    libraries = sorted({name for row in rows for name in row.get("peers", {})})
    return (
        table(
            ["workload", "ours, ms", "CUB, ms", *(f"{name}, ms" for name in libraries)],
            [
                [
                    row["workload"],
                    number(row["ours_ms"]),
                    number(row.get("cub_ms")),
                    *(number(row.get("peers", {}).get(name)) for name in libraries),
                ]
                for row in rows
            ],
        )
        + f"\n\n{record['gpu']}, driver {record['driver']}, {record['date']}; source hash {record['source_hash']}."
    )


INTERACTIONS = {
    "drag-threshold/256x256x256/f32": "a threshold, stages reused",
    "drag-threshold/256x256x256/f32/all-stages": "a threshold, all computed again",
    "drag-variance/256x256x256/f32": "the variance",
}


def interaction_table(record):
    rows = {row["workload"]: row for row in record["rows"]}
    lines = [
        [
            words,
            number(rows[workload]["end_to_end_ms"]),
            number(1000 / rows[workload]["end_to_end_ms"]),
            number(rows[workload]["itk_cpu_ms"]),
        ]
        for workload, words in INTERACTIONS.items()
    ]
    head = ["changed", "H200, ms", "results per second", f"CPU, {record['cpu_threads']} threads, ms"]
    return (
        table(head, lines)
        + f"\n\n{record['gpu']}, driver {record['driver']}, {record['date']}; source hash {record['source_hash']}."
    )


def gallery_tables(record):
    """A line for each filter of the gallery, and one on the machine."""
    tables = {
        f"gallery-{row['workload']}": "**Time:** "
        + (f"{number(row['ours_ms'])} ms on the device, " if row["ours_ms"] else "")
        + f"{number(row['end_to_end_ms'])} ms with the copies, {number(row['itk_cpu_ms'])} ms on the CPU: "
        + f"{times(row['end_to_end_ms'], row['itk_cpu_ms'])}."
        for row in record["rows"]
    }
    side = math.isqrt(int(record["pixels"]))
    tables["gallery"] = (
        f"Times are those of the lines in C++, for images of {side} x {side} pixels in ordinary memory, as readers make "
        f"them. With the copies means those to the device and back, which a filter alone needs, and a chain of filters once; "
        f"the last number compares this with the CPU, which is ITK's filter with {record['cpu_threads']} threads, or this module's "
        f"where ITK has none. {record['gpu']}, driver {record['driver']}, {record['date']}; source hash {record['source_hash']}."
    )
    return tables


def skeletons_of(record):
    """The rows of the experiment with skeletons: function, image, size and row."""
    found = []
    for row in record["rows"]:
        if row["workload"].startswith("skeleton-"):
            function, image, _ = row["workload"].split("/")
            name, _, size = image.rpartition("-")
            found.append((function[len("skeleton-") :], name, size, row))
    return found


def skeletons_table(record):
    head = [
        "function",
        "image",
        "size",
        "sequential loop, ms",
        "on the device, ms",
        "with copies, ms",
        "faster, device",
        "faster, with copies",
    ]
    rows = sorted(skeletons_of(record), key=lambda found: (found[0], found[1] != "tissue", found[1]))
    return table(
        head,
        [
            [
                function,
                image,
                size,
                number(row["sequential_ms"]),
                number(row["ours_ms"]),
                number(row["end_to_end_ms"]),
                times(row["ours_ms"], row["sequential_ms"]),
                times(row["end_to_end_ms"], row["sequential_ms"]),
            ]
            for function, image, size, row in rows
        ],
    )


def read_comparison(path):
    """What compare-backends.py has written: the command, the facts and the comparison, and by backend, what and place the sum of each run."""
    lines = path.read_text(encoding="utf-8").splitlines()
    sums = {}
    for row in csv.DictReader(lines[3:]):
        of_runs = sums.setdefault((row["backend"], row["what"], row["place"]), {})
        of_runs[row["run"]] = of_runs.get(row["run"], 0.0) + float(row["milliseconds"])
    return [line.removeprefix("# ") for line in lines[:3]], {key: list(runs.values()) for key, runs in sums.items()}


def drop_in_table():
    """Programs as they are, on the CPU and on the device: of each, the filter that takes longest on the CPU."""
    head = ["command", "runs", "filter of ITK", "on the CPU, ms", "on the device, ms", "faster"]
    head += ["start of the device, ms", "whole program before, s", "after, s", "pixels"]
    rows, facts = [], set()
    for path in sorted(FOLDER.glob("plastimatch-*-h200.csv")):
        (command, fact, comparison), times_of = read_comparison(path)
        if "no device was used" not in fact:
            facts.add(fact)
        medians = {key: statistics.median(values) for key, values in times_of.items()}
        whole = {backend: medians[backend, "whole program", ""] / 1000 for backend in ("off", "auto")}
        on_device = {
            what: ms for (backend, what, place), ms in medians.items() if backend == "auto" and "(device" in place
        }
        on_cpu = {what: ms for (backend, what, _), ms in medians.items() if backend == "cpu" and what in on_device}
        name = max(on_cpu, key=on_cpu.get, default="")
        if len([key for key in medians if key[:2] == ("auto", name)]) > 1:
            sys.exit(f"{path.name}: {name} ran on the CPU, too, and its times cannot be compared")
        cells = ["none", "", "", ""]
        if name:
            cells = [name, number(on_cpu[name]), number(on_device[name]), times(on_device[name], on_cpu[name])]
        start = [ms for (backend, what, _), ms in medians.items() if (backend, what) == ("auto", "start of the device")]
        runs = len(times_of["off", "whole program", ""])
        command = re.sub(r" --(in|out)put \S+", "", command)
        cells = [f"`{command}`", str(runs), *cells, number(start[0]) if start else "", number(whole["off"])]
        rows.append([*cells, number(whole["auto"]), comparison.partition(": ")[2]])
    return table(head, rows) + "\n\n" + "; ".join(sorted(facts)) + ". Medians of the runs."


def later_run_table(records):
    """How the times on the device of a later run differ from those of the records."""
    later = read_record("check-h200.json")
    recorded = {row["workload"]: row["ours_ms"] for record in records for row in record["rows"] if "ours_ms" in row}
    pairs = [
        (row["workload"], recorded[row["workload"]], row["ours_ms"])
        for row in later["rows"]
        if "ours_ms" in row and row["workload"] in recorded
    ]
    ratio = statistics.median(new / old for _, old, new in pairs)
    far = [(name, old, new) for name, old, new in pairs if abs(new / old - 1) > 0.05]
    rows = [[name, number(old), number(new), f"{new / old:.2f}"] for name, old, new in far]
    return (
        f"{len(pairs)} workloads, {later['gpu']}, driver {later['driver']}, {later['date']}, source hash "
        f"{later['source_hash']}: the median of the ratios is {ratio:.3f}. These {len(far)} differ by more than 5%:\n\n"
        + table(["workload", "record, ms", "later, ms", "ratio"], rows)
    )


def tables_of(record):
    pixels = read_record("pixels-h200.json")
    quality = read_record("edge-quality-h200.json")
    components = read_record("components-h200.json")
    tables = {
        "filters": filters_table(record),
        "peers": peers_table(record),
        "copies": copies_table(record),
        "series": series_table(record),
        "distances": distances_table(record),
        "wavefronts": wavefronts_table(record),
        "components": components_table(components),
        "components-large": large_components_table(components),
        "pixels": pixels_table(pixels),
        "interaction": interaction_table(read_record("interaction-h200.json")),
        "skeletons": skeletons_table(pixels),
        "stages": stages_table(record),
        "edge-quality": quality_table(quality),
        "strategies": strategies_table(record),
        "strategies-series": strategies_table(record, True),
        "slide": slide_table(record),
        "drop-in": drop_in_table(),
        "later-run": later_run_table([record, components, pixels]),
    }
    tables.update(gallery_tables(read_record("gallery-h200.json")))
    for experiment in "1234":
        tables[f"study-{experiment}"] = study_table(record, experiment)
    return tables


def update_documents(record, check):
    tables = tables_of(record)
    stale = []
    for document in [PROJECT / "README.md", *sorted((PROJECT / "Documentation").glob("*.md"))]:
        text = document.read_text(encoding="utf-8")
        updated = re.sub(
            r"(<!-- benchmark ([\w-]+) -->\n).*?(<!-- end -->)",
            lambda match: match[1] + tables.get(match[2], NOT_RECORDED) + "\n" + match[3],
            text,
            flags=re.DOTALL,
        )
        if updated != text:
            stale.append(str(document.relative_to(PROJECT)))
            if not check:
                document.write_text(updated, encoding="utf-8")
    return stale


def draw_filters(record, plot):
    rows = [row for row in filters_of(record) if row["ours_ms"] and "chain3" not in row["workload"]]
    figure, axes = plot.subplots(figsize=(9, 0.9 * len(rows) + 1.2))
    series = [
        ("ours, on the device", "ours_ms", "#76b900"),
        ("ours, from and to the host", "end_to_end_ms", "#b8d97a"),
        ("fastest peer, on the device", "peer_ms", "#7f7f7f"),
        ("ITK on the CPU", "itk_cpu_ms", "#1f4e79"),
    ]
    height = 0.2
    for i, (label, key, color) in enumerate(series):
        places = [y + (i - 1.5) * height for y in range(len(rows))]
        bars = axes.barh(places, [row.get(key) or 0 for row in rows], height, label=label, color=color)
        axes.bar_label(bars, [number(row.get(key)) for row in rows], padding=3, fontsize=8)
    axes.set_yticks(range(len(rows)), [row["workload"] for row in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xscale("log")
    axes.set_xlim(right=max(row["itk_cpu_ms"] for row in rows) * 4)
    axes.set_xlabel("milliseconds")
    axes.set_title(f"{record['gpu']}, {record['date']}", fontsize=10)
    below = -0.7 / figure.get_figheight()
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.4, below), ncols=4, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(FOLDER / "filters.png", dpi=120, bbox_inches="tight")


def finish_sizes(figure, axes, title, name):
    """What the plots of times over sizes have in common."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("million pixels")
    axes.set_ylabel("milliseconds")
    axes.set_title(title, fontsize=10)
    axes.legend(fontsize=8, frameon=False)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(FOLDER / name, dpi=120, bbox_inches="tight")


def draw_series(record, plot):
    rows = series_of(record)
    figure, axes = plot.subplots(figsize=(7, 4.2))
    series = [
        ("ITK on the CPU", "itk_cpu_ms", "#1f4e79"),
        ("ours, from an itk::Image", "plain_end_to_end_ms", "#c9a227"),
        ("ours, from and to the host", "end_to_end_ms", "#b8d97a"),
        ("ours, on the device", "ours_ms", "#76b900"),
    ]
    for label, key, color in series:
        axes.plot([pixels for pixels, _ in rows], [row[key] for _, row in rows], "o-", label=label, color=color)
    title = f"Canny, sigma 1.4, {record['gpu']}; ITK on {record['cpu_threads']} threads"
    finish_sizes(figure, axes, title, "canny-sizes.png")


def draw_distances(record, plot):
    figure, axes = plot.subplots(figsize=(7, 4.2))
    colors = {"ours": "#76b900", "CuPy": "#c9a227", "NPP": "#7f7f7f"}
    for kind, style, rows in zip(("planes", "volumes"), ("o-", "s--"), distance_series_of(record)):
        for name, color in colors.items():
            values = [
                (get_megapixels(row["workload"]), row["ours_ms"] if name == "ours" else row.get("peers", {}).get(name))
                for row in rows
            ]
            points = [(x, y) for x, y in values if y is not None]
            if points:
                axes.plot(*zip(*points), style, label=f"{name}, {kind}", color=color)
    title = f"Distances on the device, {record['gpu']}, {record['date']}"
    finish_sizes(figure, axes, title, "distance-sizes.png")


def components_of(record):
    return [row for row in record["rows"] if row["workload"].startswith("components/") and "peers" in row]


def draw_components(record, plot):
    """Bars: each input, labelled by this project and by the peers."""
    rows = components_of(record)
    names = ["ours"]
    for row in rows:
        names += [name for name in row["peers"] if name not in names]
    figure, axes = plot.subplots(figsize=(7, 0.34 * len(rows) + 1.2))
    height = 0.8 / len(names)
    for i, (name, color) in enumerate(zip(names, ("#76b900", "#c9a227", "#7f7f7f", "#1f4e79"))):
        bars = [(k, row["ours_ms"] if name == "ours" else row["peers"].get(name)) for k, row in enumerate(rows)]
        bars = [(k, value) for k, value in bars if value is not None]
        axes.barh([k + i * height for k, _ in bars], [value for _, value in bars], height, label=name, color=color)
    labels = [row["workload"].split("/")[1] + ", " + row["workload"].split("/")[3] for row in rows]
    axes.set_yticks([k + 0.4 - height / 2 for k in range(len(rows))], labels, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("ms")
    axes.set_title(f"Connected components on the device, {record['gpu']}, {record['date']}", fontsize=10)
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(FOLDER / "components.png", dpi=120, bbox_inches="tight")


def draw_skeletons(record, plot):
    """One panel a function: the loop, the device alone, and with copies, over the size of the image."""
    found = skeletons_of(record)
    functions = ["binarisation", "sobel", "maximum", "histogram"]
    figure, panels = plot.subplots(1, len(functions), figsize=(14, 3.6), sharey=True)
    series = [
        ("sequential loop", "sequential_ms", "#1f4e79"),
        ("with copies", "end_to_end_ms", "#b8d97a"),
        ("on the device", "ours_ms", "#76b900"),
    ]
    styles = {"tissue": "-", "sky": "--", "constant": ":"}
    for axes, function in zip(panels, functions):
        for image, style in styles.items():
            rows = [row for name, kind, _, row in found if name == function and kind == image]
            pixels = [get_megapixels(row["workload"]) for row in rows]
            for label, key, color in series:
                if rows:
                    label = label if image == "tissue" else f"{label}, {image}"
                    axes.plot(
                        pixels, [row[key] for row in rows], style, marker="o", markersize=3, label=label, color=color
                    )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("million pixels")
        axes.set_title(function, fontsize=10)
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("milliseconds")
    panels[-1].legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.02, 0.5))
    figure.suptitle(f"8-bit images, {record['gpu']}, {record['date']}", fontsize=10, y=1.02)
    figure.savefig(FOLDER / "skeletons.png", dpi=120, bbox_inches="tight")


def draw_large_components(record, plot):
    """Bars: the volume of 8.6 billion voxels in tiles, each stage, and the whole, which overlaps them."""
    row = next(row for row in large_components_of(record) if row["tiles"] > 1)
    bars = {key[6:]: row[key] for key in row if key.startswith("stage ")}
    order = ["upload", "rows", "objects", "borders", "merge", "numbers", "output", "download"]
    bars = [(name, bars[name]) for name in order if name in bars] + [("all", row["end_to_end_ms"])]
    figure, axes = plot.subplots(figsize=(7, 2.8))
    colors = {"upload": "#1f4e79", "download": "#1f4e79", "merge": "#c9a227", "borders": "#c9a227", "all": "#7f7f7f"}
    drawn = axes.barh(
        [name for name, _ in bars],
        [value for _, value in bars],
        color=[colors.get(name, "#76b900") for name, _ in bars],
    )
    axes.bar_label(drawn, [number(value) for _, value in bars], padding=3, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("ms (blue: copies, green: kernels, yellow: borders of tiles)", fontsize=8)
    axes.set_title(f"2048^3 voxels in {row['tiles']:.0f} tiles, {record['gpu']}, {record['date']}", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(FOLDER / "components-large.png", dpi=120, bbox_inches="tight")


def draw_strategies(record, plot):
    figure, axes = plot.subplots(figsize=(7, 4.2))
    colors = dict(zip(STRATEGIES, ("#76b900", "#c9a227", "#1f4e79")))
    rows = strategies_of(record, True)
    for strategy, name in STRATEGIES.items():
        points = [
            (get_megapixels(workload), strategies[strategy]["ours_ms"])
            for workload, strategies in rows.items()
            if strategy in strategies
        ]
        axes.plot([x for x, _ in points], [y for _, y in points], "o-", label=name, color=colors[strategy])
    title = f"Reconstruction of tissue on the device, {record['gpu']}, {record['date']}"
    finish_sizes(figure, axes, title, "reconstruction-sizes.png")


def draw_blocks(record, plot):
    points = {}
    for row in record["rows"]:
        match = re.fullmatch(r"study/4-blocks/(\d+)-threads/64Mi", row["workload"])
        if match:
            points[int(match[1])] = 8 * row["pixels"] / row["ours_ms"] / 1e9
    figure, axes = plot.subplots(figsize=(6, 3.2))
    axes.plot(list(points), list(points.values()), "o-", color="#76b900")
    axes.set_xscale("log", base=2)
    axes.set_xticks(list(points), [str(threads) for threads in points], fontsize=8)
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("threads a block")
    axes.set_ylabel("TB/s")
    axes.set_title(f"out = in + 1 on 2^26 pixels, {record['gpu']}", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(FOLDER / "blocks.png", dpi=120, bbox_inches="tight")


def main(arguments):
    check = "--check" in arguments
    names = [argument for argument in arguments if argument != "--check"]
    record = read_record(pathlib.Path(names[0]).absolute() if names else "h200.json")
    stale = update_documents(record, check)
    if check:
        if stale:
            sys.exit("not the tables of the record: " + ", ".join(stale) + "; run Utilities/benchmark-report.py")
        return
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        print("no plots: there is no Matplotlib (Debian's python3-matplotlib)")
        return
    draw_filters(record, pyplot)
    if series_of(record):
        draw_series(record, pyplot)
    if any(distance_series_of(record)):
        draw_distances(record, pyplot)
    draw_skeletons(read_record("pixels-h200.json"), pyplot)
    components = read_record("components-h200.json")
    draw_components(components, pyplot)
    if large_components_of(components):
        draw_large_components(components, pyplot)
    if strategies_of(record, True):
        draw_strategies(record, pyplot)
    draw_blocks(record, pyplot)


if __name__ == "__main__":
    main(sys.argv[1:])

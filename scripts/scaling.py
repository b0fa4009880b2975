#!/usr/bin/env python3
"""Measure how time and memory grow with rows and covariates, and write docs/scaling.md.

    cargo build --release && python3 scripts/scaling.py            # about half an hour on one quiet core

Each number is one whole command on one thread: reading the CSV, computing, writing. A command that takes longer than LIMIT
seconds is stopped and shown as `>`; a method that refuses the size says so. Where scikit-learn can be imported, the same
reduction stands beside ours, without its import and its reading.
"""

import math
import os
import pathlib
import platform
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target" / "release" / "ebmbook"
PAGE = ROOT / "docs" / "scaling.md"
LIMIT = 60.0
ROWS = [1_000, 10_000, 100_000, 1_000_000]
COLUMNS = [10, 100, 1_000]
ROWS_OF_COLUMNS = 10_000
LEARNERS = ["t", "s", "x", "dr", "r"]
REGRESSORS = ["kernel-ridge", "rbf", "polynomial", "power"]
REDUCTIONS = ["pca", "kernel-pca", "isomap", "spectral", "agglomeration", "kmeans-distances", "autoencoder"]

PEERS = {
    "pca": "from sklearn.decomposition import PCA as M; m = M(5)",
    "kernel-pca": "from sklearn.decomposition import KernelPCA as M; m = M(5, kernel='rbf')",
    "isomap": "from sklearn.manifold import Isomap as M; m = M(n_components=5)",
    "spectral": "from sklearn.manifold import SpectralEmbedding as M; m = M(5, affinity='nearest_neighbors')",
    "agglomeration": "from sklearn.cluster import FeatureAgglomeration as M; m = M(5)",
    "kmeans-distances": "from sklearn.cluster import KMeans as M; m = M(5, n_init=10)",
}


def write_rows(path: pathlib.Path, n: int, d: int, seed: int) -> None:
    """Normal covariates, treatment by a coin that the first one weights, an effect of one."""
    rng = random.Random(seed)
    with path.open("w") as out:
        out.write(",".join([f"x{s + 1}" for s in range(d)] + ["a", "y"]) + "\n")
        for _ in range(n):
            x = [rng.gauss(0, 1) for _ in range(d)]
            a = rng.random() < 1 / (1 + math.exp(-x[0]))
            y = x[0] + x[1] + a + rng.gauss(0, 1)
            out.write(",".join([f"{v:.4f}" for v in x] + [str(int(a)), f"{y:.4f}"]) + "\n")


def run(command: list[str]) -> tuple[str, float, float]:
    """How it ended (fine, slow or refused), seconds, and the peak of memory in GiB."""
    environment = dict(os.environ, RAYON_NUM_THREADS="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    start = time.monotonic()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        seconds = time.monotonic() - start
        if pid:
            break
        if seconds > LIMIT:
            child.kill()
            os.wait4(child.pid, 0)
            child.returncode = -9
            return "slow", LIMIT, 0.0
        time.sleep(0.002)
    child.returncode = os.waitstatus_to_exitcode(status)
    said = child.stdout.read().split()
    # A peer prints its own seconds, without import and reading.
    seconds = float(said[-1]) if command[0] == sys.executable and child.returncode == 0 else seconds
    return "fine" if child.returncode == 0 else "refused", seconds, usage.ru_maxrss / 2**20


def shown(found: tuple[str, float, float] | None) -> str:
    """Seconds and GiB, as short as they are told apart."""
    if found is None:
        return "–"
    end, seconds, memory = found
    if end != "fine":
        return f"> {LIMIT:.0f} s" if end == "slow" else "refused"
    return f"{seconds:.2g} s, {memory:.2g} GiB" if seconds < 10 else f"{seconds:.0f} s, {memory:.2g} GiB"


def exponent(points: list[tuple[int, tuple[str, float, float] | None]], what: int) -> str:
    """The slope of the last step that was measured and took a while, on logarithmic axes."""
    fine = [(n, found[what]) for n, found in points if found and found[0] == "fine"]
    fine = [(n, value) for n, value in fine if what == 2 or value > 0.05]
    if len(fine) < 2:
        return "–"
    (n0, v0), (n1, v1) = fine[-2:]
    return f"{math.log(v1 / v0) / math.log(n1 / n0):.1f}"


def main() -> None:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ebmbook-scaling-"))
    sizes = [(n, 10) for n in ROWS] + [(ROWS_OF_COLUMNS, d) for d in COLUMNS if d != 10]
    for n, d in sizes:
        write_rows(folder / f"{n}-{d}.csv", n, d, n + d)
        write_rows(folder / f"test-{d}.csv", 1_000, d, 1)

    def ours(arguments: list[str], n: int, d: int) -> list[str]:
        name = {"TRAIN": folder / f"{n}-{d}.csv", "TEST": folder / f"test-{d}.csv", "OUT": folder / "out"}
        return [str(PROGRAM)] + [str(name.get(argument, argument)) for argument in arguments]

    def peer(name: str, n: int, d: int) -> list[str]:
        code = "import time, pandas; "
        code += f"x = pandas.read_csv('{folder}/{n}-{d}.csv').iloc[:, :{d}].to_numpy(); {PEERS[name]}; "
        return [sys.executable, "-c", code + "t = time.monotonic(); m.fit_transform(x); print(time.monotonic() - t)"]

    data = ["--train", "TRAIN", "--treatment", "a", "--outcome", "y"]
    cate = ["cate"] + data + ["--test", "TEST", "--out", "OUT"]
    rows = [("`embed`, its defaults", ["embed"] + data + ["--out", "OUT-f"], None)]
    rows += [(f"`cate`, {name} with ridge", cate + ["--learner", name], None) for name in LEARNERS]
    rows += [(f"`cate`, t with {name}", cate + ["--learner", "t", "--regressor", name], None) for name in REGRESSORS]
    reduce = ["reduce", "--train", "TRAIN", "--test", "TEST", "--k", "5", "--out-train", "OUT", "--out-test", "OUT-t"]
    rows += [(f"`reduce`, {name}", reduce + ["--method", name], name) for name in REDUCTIONS]
    have_peer = subprocess.run([sys.executable, "-c", "import sklearn, pandas"], capture_output=True).returncode == 0

    lines = []
    for title, arguments, name in rows:
        made = [(title, lambda n, d, a=arguments: ours([str(folder / x[3:]) if x.startswith("OUT-") else x for x in a], n, d))]
        if have_peer and name in PEERS:
            made.append(("scikit-learn", lambda n, d, name=name: peer(name, n, d)))
        for label, command in made:
            found, stopped = {}, False
            for n, d in sizes[: len(ROWS)]:
                # What was too slow or refused at a smaller size is not tried at a larger one.
                found[n, d] = None if stopped else run(command(n, d))
                stopped = stopped or found[n, d][0] != "fine"
            for n, d in sizes[len(ROWS) :]:
                found[n, d] = run(command(n, d)) if found[ROWS_OF_COLUMNS, 10] else None
            of_rows = [(n, found[n, 10]) for n in ROWS]
            of_columns = [(d, found[ROWS_OF_COLUMNS, d]) for d in COLUMNS]
            cells = [shown(found[size]) for size in sizes[: len(ROWS)]] + [exponent(of_rows, 1), exponent(of_rows, 2)]
            cells += [shown(found[size]) for size in sizes[len(ROWS) :]] + [exponent(of_columns, 1)]
            lines.append(f"| {label} | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)

    head = "| command | " + " | ".join(f"n = {n:,}".replace(",", " ") for n in ROWS) + " | n^ time | n^ memory | "
    head += " | ".join(f"d = {d}" for d in COLUMNS if d != 10) + " | d^ time |"
    table = "\n".join([head, "|" + "---|" * (head.count("|") - 1)] + lines)
    processor = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    text = PAGE.read_text()
    before, rest = text.split("<!-- scaling:begin -->")
    after = rest.split("<!-- scaling:end -->")[1]
    measured = f"\n\nMeasured on {time.strftime('%Y-%m-%d')}, {processor}, one thread.\n"
    PAGE.write_text(f"{before}<!-- scaling:begin -->\n{table}{measured}<!-- scaling:end -->{after}")


if __name__ == "__main__":
    main()

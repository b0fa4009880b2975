#!/usr/bin/env python3
"""Count the instructions of five kernels with valgrind's callgrind and compare with benches/instructions.json.

Seconds differ from run to run and from machine to machine; counts of the same binary do not. A kernel that takes more than
3 % more instructions, or 3 % fewer, than on record ends the script with exit code 1. `--update` writes what is counted now:
do that in the commit that means to change it, and say why there. Without valgrind the script says so and ends with 0.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KERNELS = ["train", "corrupt", "kernel-ridge", "kernel-pca", "mcc"]
TOLERANCE = 0.03
ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "benches" / "instructions.json"


def binary() -> str:
    """Builds the benchmark and says where it is."""
    build = ["cargo", "build", "--release", "--bench", "instructions", "--message-format=json-render-diagnostics"]
    messages = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = [json.loads(line) for line in messages.splitlines()]
    return next(m["executable"] for m in found if m.get("target", {}).get("name") == "instructions" and m.get("executable"))


def count(program: str, kernel: str) -> int:
    """Instructions from start to end, on one thread."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, kernel]
        environment = dict(os.environ, RAYON_NUM_THREADS="1")
        subprocess.run(command, check=True, capture_output=True, env=environment)
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])


def main() -> None:
    if shutil.which("valgrind") is None:
        print("no valgrind: instructions are not counted")
        return
    program = binary()
    base = count(program, "nothing")
    now = {kernel: count(program, kernel) - base for kernel in KERNELS}
    if "--update" in sys.argv[1:]:
        RECORD.write_text(json.dumps(now, indent=2) + "\n")
    record = json.loads(RECORD.read_text())
    wrong = 0
    for kernel in KERNELS:
        change = now[kernel] / record[kernel] - 1
        beyond = abs(change) > TOLERANCE
        wrong += beyond
        print(f"{kernel:14}{now[kernel]:>16,}{change:>+9.1%}{'  beyond 3 %' if beyond else ''}")
    if wrong:
        sys.exit("instructions differ from benches/instructions.json; if that is meant, run with --update and say why")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Follow CONTRIBUTING.md to the letter in a copy of the project: add a claim and a learner, build, run.

Every block marked `sh` or `diff` below "## Add a claim" and "## Add a learner" is carried out in order; a command that
fails ends the script with its exit code. Nothing outside a temporary folder is changed, except the build folder, which the
copy shares.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SECTIONS = ["Add a claim", "Add a learner"]
BLOCK = re.compile(r"^```(sh|diff)\n(.*?)^```$", re.M | re.S)

def section(text: str, title: str) -> str:
    """The part of the page below a heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if found is None:
        sys.exit(f"CONTRIBUTING.md has no section `{title}`")
    return found.group(1)

def main() -> None:
    root = pathlib.Path(__file__).resolve().parent.parent
    page = (root / "CONTRIBUTING.md").read_text()
    files = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True).stdout
    environment = dict(os.environ, CARGO_TARGET_DIR=str(root / "target"))
    with tempfile.TemporaryDirectory() as copy:

        for name in files.decode().split("\0"):
            if name and (root / name).is_file():
                target = pathlib.Path(copy, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((root / name).read_bytes())
        for title in SECTIONS:
            blocks = BLOCK.findall(section(page, title))
            if not blocks:
                sys.exit(f"CONTRIBUTING.md, `{title}`: no block to carry out")
            for kind, text in blocks:
                print(f"{title}:\n{text}", flush=True)
                command = ["git", "apply", "-"] if kind == "diff" else ["bash", "-euo", "pipefail"]
                done = subprocess.run(command, input=text, text=True, cwd=copy, env=environment)
                if done.returncode != 0:
                    sys.exit(f"CONTRIBUTING.md, `{title}`: exit code {done.returncode}")
    print(f"{len(SECTIONS)} passed, 0 failed")

if __name__ == "__main__":
    main()

"""Runs the cells of a notebook through a Jupyter client and writes the notebook with its outputs.

usage: execute.py NOTEBOOK OUTPUT        one line of JSON on standard output for each cell
"""

import json
import sys

import nbformat
from nbclient import NotebookClient

path, output = sys.argv[1:3]
notebook = nbformat.read(path, as_version=4)
for cell in notebook.cells:
    if cell.cell_type == "code":
        cell.outputs, cell.execution_count = [], None
total = sum(cell.cell_type == "code" for cell in notebook.cells)
done = 0


def executed(**_):
    global done
    done += 1
    print(json.dumps({"done": done, "total": total}), flush=True)


client = NotebookClient(
    notebook,
    kernel_name="rust",
    # The first cell may have to build the workbook.
    timeout=3600,
    startup_timeout=180,
    allow_errors=True,
    on_cell_executed=executed,
    resources={"metadata": {"path": "."}},
)
client.execute()
nbformat.write(notebook, output)

"""One row of Table 1 with EconML, scikit-learn and PyTorch beside ours: times, ratio, PEHE.

    cargo build --release
    pip install numpy scikit-learn econml torch
    python benches/table1_row.py [--d 100] [--n 1000] [--runs 5] [--program target/release/ebmbook]

A run is: train the EBM with the printed hyper-parameters (pairwise objective), then X, DR, T and R
with linear kernel ridge on the covariates and on the representation, effects of 20 000 test rows.
Ours is `ebmbook cell table1 --id N`, two cells a run, each a process of its own that makes its data
first; theirs starts with the data in memory. Both have one thread and take turns. T and X on the
covariates have no randomness but the classifier's and must agree; the rest agrees in its mean.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import copy
import json
import pathlib
import statistics
import subprocess
import tempfile
import time
import warnings

import numpy as np
import torch
from econml.dml import NonParamDML
from econml.dr import LinearDRLearner
from econml.metalearners import TLearner, XLearner
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
ROOT = pathlib.Path(__file__).parent.parent
LEARNERS = ("x", "dr", "t", "r")


def ask(program, *arguments):
    return json.loads(subprocess.run([program, *arguments, "--json"], check=True, capture_output=True).stdout)


def load(program, d, n):
    """Training and test rows as our program makes them."""
    with tempfile.TemporaryDirectory() as folder:
        make = [program, "data", "synth", "--protocol", "released", "--d", str(d), "--n", str(n), "--out", folder]
        subprocess.run(make, check=True, capture_output=True)
        tables = []
        for name in ("train.csv", "test.csv"):
            with open(f"{folder}/{name}") as file:
                header = file.readline().strip().split(",")
            tables.append((header, np.loadtxt(f"{folder}/{name}", delimiter=",", skiprows=1)))
    (head, train), (test_head, test) = tables
    effect = test[:, test_head.index("y1")] - test[:, test_head.index("y0")]
    return train[:, :d], train[:, head.index("a")].astype(int), train[:, head.index("y")], test[:, :d], effect


class Ebm:
    """The same architecture, objective, noise, folds, validation and stopping rule as ours."""

    def __init__(self, params, d, seed):
        torch.manual_seed(seed)
        self.params, layers, width = params, [], d
        for units in params["hidden"]:
            layers += [torch.nn.Linear(width, units), torch.nn.ReLU()]
            width = units
        self.net = torch.nn.Sequential(*layers, torch.nn.Linear(width, params["k"]))
        directions = json.loads((ROOT / "data/authors_directions.json").read_text())
        self.beta = torch.tensor(directions[str(params["k"])], dtype=torch.float32)

    def corrupt(self, x):
        copies = x.unsqueeze(1).expand(-1, self.params["copies"], -1)
        mask = torch.rand(copies.shape) < self.params["corruption"]
        copies = copies + mask * torch.randn(copies.shape) * self.params["noise_sd"]
        return torch.cat([x.unsqueeze(1), copies], dim=1)

    def loss(self, candidates, fold):
        # b⁻¹ Σ_a log(1 + exp(e_0 − e_a)), e_a = β_jᵀ f(v_a)
        energy = torch.einsum("gak,gk->ga", self.net(candidates), self.beta.T[fold])
        return torch.nn.functional.softplus(energy[:, :1] - energy[:, 1:]).mean()

    def fit(self, x):
        x = torch.tensor(x, dtype=torch.float32)
        n, p = len(x), self.params
        fold = torch.randperm(n) % p["k"]
        order = torch.randperm(n)
        held_out, rows = order[: round(n * p["validation"])], order[round(n * p["validation"]) :]
        fixed = self.corrupt(x[held_out])
        adam = torch.optim.Adam(self.net.parameters(), lr=p["rate"], fused=True)
        best, kept, since = float("inf"), None, 0
        for _ in range(p["epochs"]):
            for batch in rows[torch.randperm(len(rows))].split(p["batch"]):
                adam.zero_grad(set_to_none=True)
                self.loss(self.corrupt(x[batch]), fold[batch]).backward()
                adam.step()
            with torch.no_grad():
                score = self.loss(fixed, fold[held_out]).item()
            if score < best:
                best, kept, since = score, copy.deepcopy(self.net.state_dict()), 0
            else:
                since += 1
                if since >= p["patience"]:
                    break
        self.net.load_state_dict(kept)
        return self

    def embed(self, x):
        with torch.no_grad():
            return self.net(torch.tensor(x, dtype=torch.float32)).double().numpy()


def learner(name, seed):
    svc = SVC(probability=True, random_state=seed)
    if name == "t":
        return TLearner(models=KernelRidge())
    if name == "x":
        return XLearner(models=KernelRidge(), propensity_model=svc, cate_models=KernelRidge())
    if name == "dr":
        return LinearDRLearner(model_propensity=svc, model_regression=KernelRidge(), cv=2, random_state=seed)
    return NonParamDML(
        model_y=KernelRidge(), model_t=svc, model_final=KernelRidge(), discrete_treatment=True, cv=2, random_state=seed
    )


def errors(x, t, y, xt, effect, seed):
    """PEHE of each learner."""
    found = {}
    for name in LEARNERS:
        estimate = learner(name, seed).fit(y, t, X=x).effect(xt).ravel()
        found[name] = float(np.sqrt(np.mean((estimate - effect) ** 2)))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--d", type=int, default=100)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5, choices=range(2, 11))
    parser.add_argument("--program", default=str(ROOT / "target/release/ebmbook"))
    args = parser.parse_args()
    plan = ask(args.program, "plan", "table1", "--scale", "full")
    where = f"/d{args.d}-n{args.n}/"
    ids = {tuple(c["cell"].split("/")[-2:]): c["id"] for c in plan if "table1/released/synthetic" in c["cell"] and where in c["cell"]}
    if not ids:
        raise SystemExit(f"Table 1 has no synthetic row with d = {args.d} and n = {args.n}")
    x, t, y, xt, effect = load(args.program, args.d, args.n)
    seconds = {"ours": [], "theirs": []}
    pehe = {(side, arm, name): [] for side in seconds for arm in ("raw", "ebm") for name in LEARNERS}
    for run in range(args.runs):
        start = time.perf_counter()
        cells = {}
        for arm, cell in (("raw", "raw"), ("ebm", "ebm-pairwise")):
            cells[arm] = ask(args.program, "cell", "table1", "--scale", "full", "--id", str(ids[cell, str(run)]))
        seconds["ours"].append(time.perf_counter() - start)
        params = cells["ebm"]["cell"]["task"]["representation"]["params"]
        start = time.perf_counter()
        ebm = Ebm(params, args.d, run).fit(x)
        theirs = {
            "raw": errors(x, t, y, xt, effect, run),
            "ebm": errors(ebm.embed(x), t, y, ebm.embed(xt), effect, run),
        }
        seconds["theirs"].append(time.perf_counter() - start)
        for arm in ("raw", "ebm"):
            for name in LEARNERS:
                pehe["ours", arm, name].append(cells[arm]["values"][f"{name} kernel-ridge"])
                pehe["theirs", arm, name].append(theirs[arm][name])
        print(f"run {run}: ours {seconds['ours'][-1]:.2f} s, theirs {seconds['theirs'][-1]:.2f} s", flush=True)
    ratios = [a / b for a, b in zip(seconds["ours"], seconds["theirs"])]
    print(f"\nratio, ours over theirs: median {statistics.median(ratios):.3f}, from {min(ratios):.3f} to {max(ratios):.3f}\n")
    print(f"{'d = %d, n = %d' % (args.d, args.n):22}{'ours':>18}{'theirs':>18}{'z':>8}")
    for arm in ("raw", "ebm"):
        for name in LEARNERS:
            ours, theirs = pehe["ours", arm, name], pehe["theirs", arm, name]
            m, s = statistics.mean, statistics.stdev
            se = ((s(ours) ** 2 + s(theirs) ** 2) / args.runs) ** 0.5
            # Below rounding there is nothing to compare.
            z = (m(ours) - m(theirs)) / se if se > 1e-9 else 0.0
            label = f"{name.upper()} {'with EBM' if arm == 'ebm' else 'on covariates'}"
            print(f"{label:22}{m(ours):10.3f} ({s(ours):.3f}){m(theirs):10.3f} ({s(theirs):.3f}){z:8.1f}")


if __name__ == "__main__":
    main()

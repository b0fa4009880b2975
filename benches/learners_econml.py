"""EconML on the data of `cargo bench --bench learners`: fit, and effects of 20 000 rows.

    cargo run --release -- data synth --protocol released --d 48 --n 2000 --out target/bench/small
    cargo run --release -- data synth --protocol released --d 250 --n 1500 --out target/bench/wide
    pip install scikit-learn econml
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benches/learners_econml.py target/bench

Prints the fastest and the median of some repeats, one thread.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pathlib
import statistics
import sys
import time
import warnings

import numpy as np
from econml.dml import NonParamDML
from econml.metalearners import TLearner
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC

warnings.filterwarnings("ignore")


def load(folder):
    """Covariates, treatment, outcome, test covariates."""

    def read(name):
        path = folder / name
        header = path.open().readline().strip().split(",")
        return header, np.loadtxt(path, delimiter=",", skiprows=1)

    header, train = read("train.csv")
    _, test = read("test.csv")
    d = sum(name.startswith("x") for name in header)
    return train[:, :d], train[:, header.index("a")].astype(int), train[:, header.index("y")], test[:, :d]


def measure(name, run, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    print(f"{name:28} fastest {min(times):8.3f} s   median {statistics.median(times):8.3f} s", flush=True)


def main(folder):
    x, t, y, xt = load(folder / "small")

    def r_learner():
        learner = NonParamDML(
            model_y=KernelRidge(),
            model_t=SVC(probability=True, random_state=42),
            model_final=KernelRidge(),
            discrete_treatment=True,
            cv=2,
            random_state=1,
        )
        return learner.fit(y, t, X=x).effect(xt)

    measure("r_learner_with_svc", r_learner, 10)
    svc = lambda: SVC(probability=True, random_state=42).fit(x, t).predict_proba(xt)
    measure("svc_and_its_probabilities", svc, 3)
    x2, t2, y2, xt2 = load(folder / "wide")
    t_learner = lambda: TLearner(models=KernelRidge()).fit(y2, t2, X=x2).effect(xt2)
    measure("t_learner_with_kernel_ridge", t_learner, 10)
    polynomial = lambda: make_pipeline(PolynomialFeatures(2), Ridge()).fit(x2, y2).predict(xt2[:2000])
    measure("polynomial_ridge, 2000 rows", polynomial, 1)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

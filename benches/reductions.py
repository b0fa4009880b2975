"""Times scikit-learn on the rows of reductions.rs, on one thread; prints the same table.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benches/reductions.py
"""

import os

for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]:
    os.environ[variable] = "1"

import sys
import time

import numpy as np
from sklearn.cluster import FeatureAgglomeration, KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.manifold import Isomap, SpectralEmbedding


def rows(n, start):
    i = np.arange(start, start + n, dtype=float)[:, None]
    s = np.arange(48)[None, :]

    def point(j):
        return np.mod((i + 0.5) * np.sqrt(j + 2.0), 1.0) - 0.5

    x = sum(np.sin(3.0 * point(j) * (1.0 + np.sin((s * (j + 1)).astype(float)))) for j in range(5))
    return x + point(5 + s)


train, new = rows(2000, 0), rows(20_000, 2000)
repeats = int(os.environ.get("REPEATS", 5))
methods = {
    "pca": lambda: PCA(5),
    "kernel-pca": lambda: KernelPCA(5, kernel="rbf"),
    "isomap": lambda: Isomap(n_neighbors=5, n_components=5),
    "agglomeration": lambda: FeatureAgglomeration(5),
    "spectral": lambda: SpectralEmbedding(5, random_state=0),
    "kmeans-distances": lambda: KMeans(5, n_init=10, random_state=0),
}
print(f"{'':20}{'fit, ms':>12}{'transform, ms':>14}")
for name, make in methods.items():
    if sys.argv[1:] and name not in sys.argv[1:]:
        continue
    fit = transform = np.inf
    for _ in range(repeats):
        model = make()
        start = time.perf_counter()
        model.fit(train)
        fit = min(fit, time.perf_counter() - start)
        if hasattr(model, "transform"):
            start = time.perf_counter()
            model.transform(new)
            transform = min(transform, time.perf_counter() - start)
    print(f"{name:20}{1e3 * fit:12.1f}{1e3 * transform:14.1f}")

"""Times scikit-learn on the rows of reductions.rs, one method at a time as that program asks for it.

Reads the name of a method a line; answers with the milliseconds to fit and to transform.
"""

import sys
import time

import numpy as np
import sklearn
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
methods = {
    "pca": lambda: PCA(5),
    "kernel-pca": lambda: KernelPCA(5, kernel="rbf"),
    "isomap": lambda: Isomap(n_neighbors=5, n_components=5),
    "agglomeration": lambda: FeatureAgglomeration(5),
    "spectral": lambda: SpectralEmbedding(5, random_state=0),
    "kmeans-distances": lambda: KMeans(5, n_init=10, random_state=0),
}
print("ready scikit-learn", sklearn.__version__, flush=True)
for line in sys.stdin:
    model = methods[line.strip()]()
    start = time.perf_counter()
    model.fit(train)
    fit, transform = time.perf_counter() - start, float("nan")
    if hasattr(model, "transform"):
        start = time.perf_counter()
        model.transform(new)
        transform = time.perf_counter() - start
    print(1e3 * fit, 1e3 * transform, flush=True)

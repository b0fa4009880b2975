"""PyTorch reference for `cargo bench --bench train`: one epoch a line.

Reads lines "<configuration> <mode>" on standard input (mode `drawn`: candidates drawn beforehand,
`fresh`: noise drawn at each step), trains for one epoch on one thread in single precision with
fused Adam, and answers with the milliseconds it took. Needs torch; started by the benchmark.
"""

import sys
import time

import torch

CONFIGURATIONS = {
    # name: d, k, hidden widths, b, n, batch
    "A": (100, 10, [20, 20], 3, 1500, 256),
    "B": (48, 16, [20] * 6, 5, 2500, 256),
    "C": (48, 5, [20] * 6, 5, 10000, 1024),
}


class Run:
    def __init__(self, name):
        d, k, hidden, b, n, batch = CONFIGURATIONS[name]
        self.b, self.k, self.q = b, k, 0.5
        layers, width = [], d
        for units in hidden:
            layers += [torch.nn.Linear(width, units), torch.nn.ReLU()]
            width = units
        self.net = torch.nn.Sequential(*layers, torch.nn.Linear(width, k))
        self.adam = torch.optim.Adam(self.net.parameters(), lr=1e-3, fused=True)
        x = torch.randn(n, d)
        beta = torch.linalg.qr(torch.randn(k, k)).Q
        fold = torch.arange(n) % k
        self.rows = list(x.split(batch))
        self.beta = [beta.T[j] for j in fold.split(batch)]
        self.drawn = [self.corrupt(rows) for rows in self.rows]

    def corrupt(self, rows):
        """Original and b copies of each row, all candidates in one matrix."""
        copies = rows.unsqueeze(1).expand(-1, self.b, -1)
        mask = torch.rand(copies.shape) < self.q
        copies = copies + mask * torch.randn(copies.shape)
        return torch.cat([rows.unsqueeze(1), copies], dim=1).reshape(-1, rows.shape[1])

    def epoch(self, fresh):
        started = time.perf_counter()
        for step, beta in enumerate(self.beta):
            candidates = self.corrupt(self.rows[step]) if fresh else self.drawn[step]
            f = self.net(candidates).view(beta.shape[0], self.b + 1, self.k)
            energy = torch.einsum("gak,gk->ga", f, beta)
            loss = torch.nn.functional.softplus(energy[:, :1] - energy[:, 1:]).mean()
            self.adam.zero_grad(set_to_none=True)
            loss.backward()
            self.adam.step()
        return 1e3 * (time.perf_counter() - started)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    runs = {name: Run(name) for name in CONFIGURATIONS}
    print("ready PyTorch", torch.__version__, flush=True)
    for line in sys.stdin:
        name, mode = line.split()
        print(runs[name].epoch(mode == "fresh"), flush=True)


main()

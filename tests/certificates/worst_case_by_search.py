"""The worst case of 'carom check' against a search of its own: no velocity that it finds gains more.

Planar frictional contacts under Newton's and Poisson's laws. Each impact is solved by trying all combinations of open,
stick and slip on many velocities at once; velocities are drawn at random and by modes, and the best are improved by
random steps. Usage: worst_case_by_search.py CAROM [CONTACTS FIRST_SEED LAST_SEED]
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("numpy is not installed")
    sys.exit(77)

SLACK = 1e-12  # of inequalities
DRAWS, KEPT, ROUNDS, CHILDREN = 3000, 16, 40, 12


def solutions(G, mu, c, kept):
    """All (which columns, impulses, velocities) with v = G p + c, friction |p_T| ≤ μ(p_N + kept)."""
    rows = G.shape[0]
    contacts = rows // 2
    for mode in itertools.product(range(6), repeat=contacts):
        impulse, velocity = np.zeros((rows, rows)), np.zeros((rows, rows))
        given = np.zeros((rows, contacts))
        for i, kind in enumerate(mode):
            N, T, closed, slip = 2 * i, 2 * i + 1, kind >= 3, kind % 3
            (impulse if closed else velocity)[N, N] = 1
            if slip == 0:
                impulse[T, T] = 1
                continue
            side = 1 if slip == 1 else -1
            velocity[T, T] = 1
            given[T, i] = side * mu[i]
            if closed:
                impulse[T, N] = side * mu[i]
        A = velocity - G @ impulse
        if abs(np.linalg.det(A)) < 1e-12:
            continue
        z = np.linalg.solve(A, c + G @ (given @ kept))
        p, v = impulse @ z + given @ kept, velocity @ z
        ok = np.ones(c.shape[1], bool)
        for i, kind in enumerate(mode):
            N, T, slip = 2 * i, 2 * i + 1, kind % 3
            ok &= (p[N] >= -SLACK) & (v[N] >= -SLACK)
            if slip == 0:
                ok &= np.abs(p[T]) <= mu[i] * (p[N] + kept[i]) + SLACK
            else:
                ok &= v[T] * (1 if slip == 1 else -1) <= SLACK
        if ok.any():
            yield np.where(ok)[0], p[:, ok], v[:, ok]


def gains(law, G, L, mu, normal, tangential, v):
    """The largest (T⁺ − T⁻)/T⁻ over the solutions from each column of v, unit velocities with γ = L v."""
    epsilon = np.zeros(G.shape[0])
    epsilon[0::2], epsilon[1::2] = normal, tangential
    best = np.full(v.shape[1], -np.inf)
    nothing = np.zeros((len(mu), v.shape[1]))

    def offer(columns, impulses):
        after = v[:, columns] + L.T @ impulses
        best[columns] = np.maximum(best[columns], (after**2).sum(0) - 1)

    if law == "newton":
        for columns, p, _ in solutions(G, mu, (1 + epsilon)[:, None] * (L @ v), nothing):
            offer(columns, p)
        return best
    for columns, compression, mid in solutions(G, mu, L @ v, nothing):
        kept = (normal - tangential)[:, None] * compression[0::2]
        returned = epsilon[:, None] * compression
        for again, more, _ in solutions(G, mu, mid + G @ returned, kept):
            offer(columns[again], (compression + returned)[:, again] + more)
    return best


def drawn(G, L, mu, rng):
    """Half at random, half from impulses and velocities of a random mode."""
    rows, half = G.shape[0], DRAWS // 2
    length = np.sqrt(np.diag(G))
    p, xi = np.zeros((rows, half)), np.zeros((rows, half))
    for i, friction in enumerate(mu):
        N, T = 2 * i, 2 * i + 1
        kind, size, slip = rng.integers(0, 4, half), np.abs(rng.normal(size=half)), rng.normal(size=half)
        is_open = kind == 0
        xi[N] = np.where(is_open, size * length[N], 0)
        xi[T] = np.select([is_open, kind == 2, kind == 3], [slip, -np.abs(slip), np.abs(slip)], 0) * length[T]
        p[N] = np.where(is_open, 0, size / length[N])
        p[T] = np.select([kind == 1, kind == 2, kind == 3], [rng.uniform(-1, 1, half), 1, -1], 0) * friction * p[N]
    v = np.hstack([rng.normal(size=(rows, DRAWS - half)), np.linalg.solve(L, xi - G @ p)])
    return v / np.linalg.norm(v, axis=0)


def worst(law, G, mu, normal, tangential, rng):
    L = np.linalg.cholesky(G)
    v = drawn(G, L, mu, rng)
    gain = gains(law, G, L, mu, normal, tangential, v)
    order = np.argsort(-gain)[:KEPT]
    v, gain, step = v[:, order], gain[order], np.full(KEPT, 0.3)
    for _ in range(ROUNDS):
        children = np.repeat(v, CHILDREN, axis=1)
        children = children + np.repeat(step, CHILDREN) * rng.normal(size=children.shape)
        children /= np.linalg.norm(children, axis=0)
        offered = gains(law, G, L, mu, normal, tangential, children).reshape(KEPT, CHILDREN)
        chosen = offered.argmax(1)
        up = offered.max(1) > gain
        v[:, up] = children.reshape(-1, KEPT, CHILDREN)[:, np.arange(KEPT), chosen][:, up]
        gain = np.maximum(gain, offered.max(1))
        step = np.where(up, np.minimum(1.5 * step, 0.5), 0.7 * step)
    return gain.max()


def problem(seed, contacts):
    rng = np.random.default_rng(seed)
    n = 2 * contacts + int(rng.integers(0, 2))
    A = rng.normal(size=(n, n))
    W = rng.normal(size=(2 * contacts, n))
    mu, normal = rng.uniform(0.05, 1, contacts), rng.uniform(0, 1, contacts)
    tangential = normal * rng.choice([0, 0, 1], contacts) * rng.uniform(0, 1, contacts)
    if seed % 3 == 0:  # as different as can be, as in the inhomogeneous bar
        normal, tangential = np.where(np.arange(contacts) == 0, 0.0, 1.0), np.zeros(contacts)
    return A @ A.T + 0.5 * np.eye(n), W, mu, normal, tangential


def asked(carom, law, M, W, mu, normal, tangential):
    elements = [
        {"name": f"c{i}", "kind": "contact", "normal": W[2 * i].tolist(), "tangent": W[2 * i + 1].tolist(),
         "restitution": normal[i], "friction": mu[i], "tangential_restitution": tangential[i]}
        for i in range(len(mu))
    ]
    impact = {"mass": M.tolist(), "velocity": np.linalg.solve(M, -W[0]).tolist(), "elements": elements}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "problem.yaml")
        with open(path, "w") as file:
            json.dump({"impact": impact, "law": law}, file)
        run = subprocess.run([carom, "check", path, "--json"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["impacts"][0]["laws"][0]


def main():
    carom = sys.argv[1]
    contacts, first, last = (int(x) for x in sys.argv[2:5]) if len(sys.argv) > 2 else (2, 1, 6)
    below = 0
    for law in ("newton", "poisson"):
        for seed in range(first, last + 1):
            M, W, mu, normal, tangential = problem(seed, contacts)
            ours = asked(carom, law, M, W, mu, normal, tangential)
            gain = ours["worst"]["gain"] if ours["worst"] else 0.0
            G = W @ np.linalg.solve(M, W.T)
            found = worst(law, G, mu, normal, tangential, np.random.default_rng(seed + 1))
            wrong = found > max(gain, 0) + 1e-7 * (1 + abs(gain))
            below += wrong
            print(f"{law} seed {seed}: {ours['verdict']}, carom {gain:.6f}, search {found:.6f}{' BELOW' if wrong else ''}")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())

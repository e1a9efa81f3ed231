"""The worst case of 'carom check' against a search of its own: no velocity that it finds gains more.

Planar frictional contacts under Newton's and Poisson's laws. Each impact is solved by trying all combinations of open,
stick and slip on many velocities at once; velocities are drawn at random and by modes, and the best are improved by
random steps. One contact with coefficients in ranges, under Newton's law and Newton's rule on Routh's path, alone and
within 'sequential': all directions and a grid of coefficients, then random steps; carom has to call its answer exact,
and 'carom impact' has to create that much with its velocity and coefficients.
Usage: worst_case_by_search.py CAROM [CONTACTS FIRST_SEED LAST_SEED], CONTACTS = 0 for one contact and ranges
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


def contact(i, W, mu, normal, tangential):
    return {"name": f"c{i}", "kind": "contact", "normal": W[2 * i].tolist(), "tangent": W[2 * i + 1].tolist(),
            "restitution": normal[i], "friction": mu[i], "tangential_restitution": tangential[i]}


def run(carom, command, law, M, velocity, elements, *options):
    impact = {"mass": M.tolist(), "velocity": list(velocity), "elements": elements}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "problem.yaml")
        with open(path, "w") as file:
            json.dump({"impact": impact, "law": law}, file)
        done = subprocess.run([carom, command, path, "--json", *options], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def asked(carom, law, M, W, mu, normal, tangential):
    elements = [contact(i, W, mu, normal, tangential) for i in range(len(mu))]
    return run(carom, "check", law, M, np.linalg.solve(M, -W[0]), elements)["impacts"][0]["laws"][0]


def newton_of_one(G, gamma, normal, tangential, mu, approaching):
    """Largest 2W for every column of γ⁻, each with its own coefficients; −∞ without an impulse."""
    best = np.full(gamma.shape[1], -np.inf)
    c = np.array([1 + normal, 1 + tangential]) * gamma

    def offer(p, ok):
        work = (p * (2 * gamma + G @ p)).sum(0)
        np.copyto(best, np.maximum(best, work), where=ok & (p[0] >= 0) & (~approaching | (gamma[0] < 0)))

    stick = -np.linalg.solve(G, c)
    offer(stick, np.abs(stick[1]) <= mu * stick[0] * (1 + 1e-14))
    for side in (-1, 1):
        slope = G[0, 0] + side * mu * G[0, 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            p = -c[0] / slope * np.array([np.ones_like(mu), side * mu])
            offer(p, side * (G[1] @ p + c[1]) <= 0)
    return best


def routh_of_one(G, gamma, normal, mu):
    """The same on Routh's path until v_N = −ε v_N⁻."""
    end = -(1 + normal) * gamma[0]
    side = np.sign(gamma[1])
    first = -side * mu
    with np.errstate(divide="ignore", invalid="ignore"):
        to_end = np.where(G[0, 0] + first * G[0, 1] > 0, end / (G[0, 0] + first * G[0, 1]), np.inf)
        drift = G[0, 1] + first * G[1, 1]
        to_rest = np.where(side * drift < 0, -gamma[1] / drift, np.inf)
        x = np.minimum(to_end, to_rest)
        onward = np.clip(-G[0, 1] / G[1, 1], -mu, mu)
        more = np.where(to_rest < to_end, (end - x * (G[0, 0] + first * G[0, 1])) / (G[0, 0] + onward * G[0, 1]), 0)
        p = np.array([x + more, first * x + onward * more])
        work = (p * (2 * gamma + G @ p)).sum(0)
    return np.where((gamma[0] < 0) & np.isfinite(work), work, -np.inf)


def worst_of_one(rule, G, ranges, rng):
    """Over angles of v and coefficients in ranges; rows of a point: angle, ε, ε_T, μ."""
    L = np.linalg.cholesky(G)
    low = np.array([-np.pi] + [r[0] for r in ranges])
    high = np.array([np.pi] + [r[1] for r in ranges])

    def gains_at(x):
        gamma = L @ np.array([np.cos(x[0]), np.sin(x[0])])
        if rule == "newton-routh":
            return routh_of_one(G, gamma, x[1], x[3])
        return newton_of_one(G, gamma, x[1], x[2], x[3], np.array(rule == "sequential"))

    grids = [np.linspace(-np.pi, np.pi, 721)] + [np.linspace(a, b, 5 if b > a else 1) for a, b in ranges]
    x = np.array([g.ravel() for g in np.meshgrid(*grids, indexing="ij")])
    value = gains_at(x)
    order = np.argsort(-value)[:40]
    x, value, step = x[:, order], value[order], np.full(40, 0.1)
    for _ in range(120):
        steps = rng.normal(size=(4, 40, 10)) * (rng.random((4, 40, 10)) < 0.6)
        children = x[:, :, None] + step[None, :, None] * (high - low)[:, None, None] * 0.5 * steps
        children = np.clip(children, low[:, None, None], high[:, None, None]).reshape(4, -1)
        offered = gains_at(children).reshape(40, 10)
        up = offered.max(1) > value
        x[:, up] = children.reshape(4, 40, 10)[:, np.arange(40), offered.argmax(1)][:, up]
        value = np.maximum(value, offered.max(1))
        step = np.where(up, np.minimum(1.5 * step, 0.3), 0.75 * step)
    return value.max()


def one_contact(seed):
    rng = np.random.default_rng(seed)
    n = 2 + int(rng.integers(0, 3))
    A = rng.normal(size=(n, n))
    M, W = A @ A.T + 0.3 * np.eye(n), rng.normal(size=(2, n))

    def pair(low, high):
        a, b = np.sort(rng.uniform(low, high, 2))
        return [(a, b), (low, high), (a, a)][rng.integers(0, 3)]

    tangential = pair(-0.9, 1) if rng.integers(0, 2) else (0.0, 0.0)
    return M, W, [pair(0, 1), tangential, pair(0, rng.choice([0.5, 1.5, 4]))]


def compare_one_contact(carom, seed):
    M, W, ranges = one_contact(seed)
    rule = ("newton", "newton-routh", "sequential", "sequential-routh")[seed % 4]
    if "routh" in rule:
        ranges[1] = (0.0, 0.0)
    law = {"newton": "newton", "newton-routh": "newton-routh", "sequential": {"type": "sequential", "each": "newton"},
           "sequential-routh": {"type": "sequential", "each": "newton-routh"}}[rule]
    names = ("restitution", "tangential_restitution", "friction")
    texts = ",".join(f"{name}={float(low)!r}..{float(high)!r}" for name, (low, high) in zip(names, ranges))
    middle = [[0.5 * (low + high)] for low, high in ranges]
    elements = [contact(0, W, middle[2], middle[0], middle[1])]
    velocity = np.linalg.solve(M, -W[0])
    ours = run(carom, "check", law, M, velocity, elements, "--ranges", texts)["impacts"][0]["laws"][0]
    G = W @ np.linalg.solve(M, W.T)
    found = worst_of_one("newton-routh" if "routh" in rule else rule, G, ranges, np.random.default_rng(seed))
    worst_here = ours["worst"]
    if not worst_here:
        gain, exact, reached = 0.0, ours["within_ranges"]["verdict"] == "guaranteed", 0.0
    else:
        gain, exact = max(worst_here["gain"], 0), worst_here["exact"]
        coefficients = dict(worst_here["contacts"][0], friction=worst_here["contacts"][0]["friction"][0])
        again = [dict(elements[0], **coefficients)]
        results = run(carom, "impact", law, M, worst_here["velocity"], again, "--all-solutions")["results"]
        reached = max(r["work"] / r["kinetic_energy_before"] for r in results) if gain > 0 else 0.0
    wrong = found > gain + 1e-8 * (1 + gain) or not exact or abs(reached - gain) > 1e-8 * (1 + gain)
    print(f"{rule} seed {seed}: {'exact' if exact else 'searched'} {gain:.9f}, impact {reached:.9f}, search "
          f"{found:.9f}{' WRONG' if wrong else ''}")
    return wrong


def main():
    carom = sys.argv[1]
    contacts, first, last = (int(x) for x in sys.argv[2:5]) if len(sys.argv) > 2 else (2, 1, 6)
    below = 0
    if contacts == 0 or len(sys.argv) == 2:
        below += sum(compare_one_contact(carom, seed) for seed in range(first, last + 1 if contacts == 0 else 13))
    if contacts == 0:
        return 1 if below else 0
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

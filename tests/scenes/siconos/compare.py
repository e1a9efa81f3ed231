"""carom against Siconos (MoreauJeanOSI, TimeStepping, NewtonImpactNSL, LCP), step by step, same h and θ.

    LD_LIBRARY_PATH=FOLDER compare.py CAROM     FOLDER holds disk_distance.so, CAROM is the program

Exit code 77 where Siconos or h5py is not installed.

What Siconos 4.4 does, found by tracing its calls: a contact is active if g(q_k) + ½hγ_k ≤ 0; its row is taken at
q_k + h u_k, the state its Newton iteration begins with, for the impulse and for γ_{k+1}, but at q_k for γ_k.
"""

import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
    import siconos.kernel as sk
except ImportError as missing:
    print(f"skipped: {missing} (Debian: python3-siconos, python3-h5py)")
    sys.exit(77)

GRAVITY = 9.81
AGREEMENT = 1e-9
# Siconos drops a contact whose gap is a rounding error above zero; with this it keeps it, as carom does.
ALLOWANCE = 1e-11


def carom(program, scene):
    with tempfile.TemporaryDirectory() as folder:
        path, run = os.path.join(folder, "scene.yaml"), os.path.join(folder, "run.h5")
        with open(path, "w") as file:
            file.write(scene)
        subprocess.run([program, "simulate", path, "-o", run, "--quiet"], check=True)
        with h5py.File(run) as file:
            return np.hstack([file["q"][:], file["u"][:]]), len(file["impacts/time"])


class SiconosRun:
    def __init__(self, duration):
        self.system = sk.NonSmoothDynamicalSystem(0, duration)
        self.duration, self.bodies, self.kept = duration, [], []

    def body(self, q, u, mass, force):
        body = sk.LagrangianLinearTIDS(q, u, np.diag(mass))
        body.setFExtPtr(force)
        self.system.insertDynamicalSystem(body)
        self.bodies.append(body)

    def contact(self, relation, restitution, *bodies):
        interaction = sk.Interaction(sk.NewtonImpactNSL(restitution), relation)
        self.system.link(interaction, *bodies)
        self.kept += [relation, interaction]

    def state(self):
        return np.concatenate([b.q() for b in self.bodies] + [b.velocity() for b in self.bodies])

    def run(self, step, theta):
        integrator = sk.MoreauJeanOSI(theta)
        integrator.setConstraintActivationThreshold(ALLOWANCE)
        stepping = sk.TimeStepping(self.system, sk.TimeDiscretisation(0, step), integrator, sk.LCP())
        states = [self.state()]
        with silenced():
            for _ in range(round(self.duration / step)):
                stepping.computeOneStep()
                states.append(self.state())
                stepping.nextStep()
        return np.array(states)


class silenced:
    """Siconos writes a line at every nonlinear relation."""

    def __enter__(self):
        sys.stdout.flush()
        self.out = os.dup(1)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)

    def __exit__(self, *_):
        os.dup2(self.out, 1)
        os.close(self.out)


def ball(step, theta, restitution):
    scene = f"""
model: {{type: ball, mass: 1, radius: 0.1, position: 1.1, restitution: {restitution}}}
law: newton
integrator: {{step: {step}, theta: {theta}, duration: 5}}
"""
    run = SiconosRun(5)
    run.body([1.1], [0.0], [1.0], [-GRAVITY])
    run.contact(sk.LagrangianLinearTIR([[1.0]], [-0.1]), restitution, run.bodies[0])
    return scene, run.run(step, theta)


def chain(step, theta, restitution, gap):
    count, radius = 10, 0.05
    mass = [round(1 + 0.1 * i, 1) for i in range(count)]
    scene = f"""
model: {{type: ball-chain, balls: {count}, mass: {mass}, radius: {radius}, gap: {gap}, velocity: 0, gravity: {GRAVITY},
        wall: left, wall_gap: 0.1, restitution: {restitution}}}
initial: {{q: {[round(0.15 + (2 * radius + gap) * i, 6) for i in range(count)]}}}
law: newton
integrator: {{step: {step}, theta: {theta}, duration: 2}}
"""
    run = SiconosRun(2)
    for i in range(count):
        run.body([round(0.15 + (2 * radius + gap) * i, 6)], [0.0], [mass[i]], [-mass[i] * GRAVITY])
    run.contact(sk.LagrangianLinearTIR([[1.0]], [-radius]), restitution, run.bodies[0])
    for a, b in zip(run.bodies, run.bodies[1:]):
        run.contact(sk.LagrangianLinearTIR([[-1.0, 1.0]], [-2 * radius]), restitution, a, b)
    return scene, run.run(step, theta)


def disks(step, theta, restitution):
    radius, width, count = 0.1, 0.7, 6
    x = [[round(0.15 + 0.2 * (i % 3) + 0.01 * i, 3), round(0.15 + 0.25 * (i // 3), 3)] for i in range(count)]
    v = [[0.17, 0.41], [0.17, -0.65], [0.45, 0.22], [-0.27, 0.29], [0.18, 0.15], [0.01, 0.27]]
    bodies = "\n".join(
        f"  disk{i}: {{shape: disk, radius: {radius}, mass: 1, position: {x[i]}, velocity: {v[i]}}}" for i in range(count)
    )
    scene = f"""
gravity: [0, {-GRAVITY}]
defaults: {{contact: {{restitution: {restitution}}}}}
bodies:
  floor: {{shape: plane, normal: [0, 1], position: [0, 0]}}
  left: {{shape: plane, normal: [1, 0], position: [0, 0]}}
  right: {{shape: plane, normal: [-1, 0], position: [{width}, 0]}}
{bodies}
collide: all
law: newton
integrator: {{step: {step}, theta: {theta}, duration: 1, directions: classical}}
"""
    run = SiconosRun(1)
    for i in range(count):
        run.body(x[i] + [0.0], v[i] + [0.0], [1.0, 1.0, 0.5 * radius**2], [0.0, -GRAVITY, 0.0])
    for body in run.bodies:
        for row, offset in (([0, 1, 0], -radius), ([1, 0, 0], -radius), ([-1, 0, 0], width - radius)):
            run.contact(sk.LagrangianLinearTIR([[float(w) for w in row]], [offset]), restitution, body)
    for i in range(count):
        for j in range(i + 1, count):
            relation = sk.LagrangianScleronomousR("disk_distance:distance", "disk_distance:gradient")
            run.contact(relation, restitution, run.bodies[i], run.bodies[j])
    return scene, run.run(step, theta)


def main(program):
    cases = [(f"ball, θ = {theta}, h = {h}", ball, (h, theta, 0.8)) for theta in (0.5, 1.0) for h in (1e-3, 1e-2)]
    for restitution, gap in ((0.5, 0.02), (0.0, 0.02), (0.9, 0.01), (0.5, 0.0)):
        cases.append((f"chain of 10, ε = {restitution}, gap {gap}", chain, (1e-3, 0.5, restitution, gap)))
    for theta, restitution in ((0.5, 0.5), (0.5, 0.0), (0.8, 0.9)):
        cases.append((f"6 disks in a box, ε = {restitution}, θ = {theta}", disks, (1e-3, theta, restitution)))
    failed = False
    for name, case, arguments in cases:
        scene, theirs = case(*arguments)
        ours, impacts = carom(program, scene)
        difference = np.abs(ours - theirs).max(axis=1)
        agrees = difference.max() <= AGREEMENT
        failed |= not agrees
        where = "" if agrees else f", first above {AGREEMENT} at step {int(np.argmax(difference > AGREEMENT))}"
        verdict = "agrees " if agrees else "DIFFERS"
        print(f"{verdict}  {name}: {difference.max():.1e} in {len(ours) - 1} steps, {impacts} impacts{where}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))

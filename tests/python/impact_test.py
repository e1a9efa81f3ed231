"""Impacts of matrices, one and many; comparisons, checks and sweeps as the program prints them."""

import json
import os
import signal
import threading
import time
import unittest

import numpy as np

import carom
from support import KANE, SOURCE, InFolder, program

PROBLEM = SOURCE / "config/impacts/kane.yaml"
M = [[16, 6 * np.cos(np.pi / 18)], [6 * np.cos(np.pi / 18), 4]]
TIP = {
    "name": "tip",
    "normal": [2 * np.sin(np.pi / 9), 1],
    "tangent": [-2 * np.cos(np.pi / 9), -np.sqrt(3)],
    "restitution": 0.5,
    "friction": 0.5,
}
U = [-0.1, -0.2]


class One(unittest.TestCase):
    def test_matrices_files_and_the_program(self):
        told = json.loads(program("impact", PROBLEM, "--law", "poisson", "--json").stdout)["results"][0]
        for result in (carom.impact(PROBLEM, law="poisson"), carom.impact(mass=M, velocity=U, contacts=[TIP], law="poisson")):
            np.testing.assert_allclose(result.velocity_after, told["velocity_after"], rtol=1e-12)
            np.testing.assert_allclose(result.elements["tip"].impulse, told["elements"][0]["impulse"], rtol=1e-12)
            self.assertEqual(result.consistency.energetic, True)
        self.assertEqual(repr(carom.impact(PROBLEM, law="poisson")) + "\n", program("impact", PROBLEM, "--law", "poisson").stdout)

    def test_several_laws(self):
        results = carom.impact(PROBLEM, law=["newton", "poisson"])
        self.assertFalse(results["newton"].consistency.energetic)
        self.assertTrue(results["poisson"].consistency.energetic)
        self.assertIn("<pre>", results._repr_html_())

    def test_mistakes(self):
        with self.assertRaisesRegex(carom.InputError, "friction"):
            carom.impact(mass=M, velocity=U, contacts=[{**TIP, "friction": -1}])
        with self.assertRaises(TypeError):
            carom.impact(PROBLEM, mass=M)


class Many(unittest.TestCase):
    def setUp(self):
        self.U = np.random.default_rng(1).normal(size=(500, 2))

    def test_each_is_the_one(self):
        for law in ("newton", "poisson", "stronge"):
            many = carom.impact(mass=M, velocity=self.U, contacts=[TIP], law=law)
            for row in (0, 17, 499):
                one = carom.impact(mass=M, velocity=self.U[row], contacts=[TIP], law=law)
                np.testing.assert_array_equal(many.velocity_after[row], one.velocity_after)
                np.testing.assert_array_equal(many.elements["tip"].impulse[row], one.elements["tip"].impulse)
                self.assertEqual(many.work[row], one.work)
                self.assertEqual(many.energetic[row], one.consistency.energetic)
                self.assertEqual(many.states[many.elements["tip"].state[row]], one.elements["tip"].state)

    def test_coefficients_masses_and_directions_vary(self):
        n = len(self.U)
        tip = {**TIP, "restitution": np.linspace(0, 1, n), "friction": np.linspace(0, 2, n)}
        tip["normal"], tip["tangent"] = np.tile(TIP["normal"], (n, 1)), np.tile(TIP["tangent"], (n, 1))
        masses = np.array(M) * np.linspace(1, 2, n)[:, None, None]
        many = carom.impact(mass=masses, velocity=self.U, contacts=[tip], law="poisson")
        for row in (0, 250, 499):
            contact = {**TIP, "restitution": tip["restitution"][row], "friction": tip["friction"][row]}
            one = carom.impact(mass=masses[row], velocity=self.U[row], contacts=[contact], law="poisson")
            np.testing.assert_allclose(many.velocity_after[row], one.velocity_after, rtol=1e-12)

    def test_rows_without_an_answer_say_why(self):
        n = len(self.U)
        friction = np.full(n, 0.5)
        friction[3] = -1
        many = carom.impact(mass=M, velocity=self.U, contacts=[{**TIP, "friction": friction}], law="newton")
        self.assertEqual(many.status[3], 1)
        self.assertIn("friction", many.reasons[3])
        self.assertTrue(np.isnan(many.work[3]))
        self.assertEqual(np.count_nonzero(many.status), 1)

    def test_wrong_shapes(self):
        with self.assertRaises(carom.InputError):
            carom.impact(mass=M, velocity=np.zeros((5, 3)), contacts=[TIP])
        with self.assertRaises(carom.InputError):
            carom.impact(mass=M, velocity=self.U, contacts=[{**TIP, "restitution": np.zeros(7)}])
        with self.assertRaises(ValueError):
            carom.impact(mass=M, velocity=np.zeros((0, 2)), contacts=[TIP])

    def test_a_hundred_thousand_a_second(self):
        U = np.random.default_rng(2).normal(size=(20000, 2))

        def seconds():
            begin = time.process_time()
            carom.impact(mass=M, velocity=U, contacts=[TIP], law="poisson")
            return time.process_time() - begin

        self.assertLess(min(seconds() for _ in range(3)), len(U) / 1e5)


class Studies(InFolder):
    def test_compare(self):
        told = program("compare", KANE, "--laws", "newton,poisson", "--duration", "0.05", "--json")
        found = carom.compare(KANE, ["newton", "poisson"], duration=0.05, output=self.folder / "laws.h5")
        self.assertEqual(json.loads(told.stdout), dict(found))
        self.assertEqual(sorted(carom.open(self.folder / "laws.h5")), ["newton", "poisson"])
        with self.assertRaisesRegex(carom.InputError, "newtn"):
            carom.compare(KANE, ["newtn"])

    def test_check(self):
        told = program("check", KANE, "--law", "newton,poisson", "--json")
        self.assertEqual(json.loads(told.stdout), dict(carom.check(KANE, ["newton", "poisson"])))
        self.assertIn("guaranteed", repr(carom.check(KANE, "poisson")))

    def test_sweep(self):
        vary = {"restitution": {"path": "model.restitution", "from": 0, "to": 1, "count": 5}, "law.type": ["newton", "poisson"]}
        swept = carom.sweep({"scene": KANE, "vary": vary, "measures": ["work"]})
        self.assertEqual(swept["work"].shape, (5, 2))
        data = swept.to_xarray()
        scene = carom.Scene(KANE)
        scene["model.restitution"] = 0.5
        expected = carom.impact(scene, law="newton").work
        self.assertAlmostEqual(float(data["work"].sel({"restitution": 0.5, "law.type": "newton"})), expected, places=12)
        swept.save(self.folder / "sweep.h5")
        self.assertEqual(program("inspect", self.folder / "sweep.h5").returncode, 0)
        with self.assertRaisesRegex(carom.InputError, "measurs"):
            carom.sweep({"scene": KANE, "vary": vary, "measurs": ["work"]})

    def test_interrupt(self):
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            carom.compare(KANE, ["newton", "poisson"], duration=1e4)
        self.assertEqual(carom.Scene(KANE).simulate(duration=0.01).status, "complete")


if __name__ == "__main__":
    unittest.main()

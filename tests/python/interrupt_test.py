"""Ctrl-C ends what takes long, within seconds, and leaves nothing behind that hinders the next call."""

import os
import signal
import threading
import time
import unittest
import warnings

import numpy as np

import carom
from support import KANE, KANE_RODS, SOURCE, InFolder


class Interrupts(InFolder):
    def interrupted(self, call, after=0.3, within=3.0):
        pressed = []

        def press():
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(after, press)
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call()
        finally:
            timer.cancel()
        self.assertLess(time.monotonic() - pressed[0], within)
        self.assertEqual(carom.Scene(KANE).simulate(duration=0.01).status, "complete")  # asked for once only

    def test_the_search_for_the_first_impact(self):
        ball = carom.Scene({"model": {"type": "ball", "position": 1e7}, "law": "newton", "integrator": {"step": 1e-5, "duration": 400}})
        self.interrupted(lambda: carom.check(ball, "newton"))
        self.interrupted(lambda: carom.compare(ball, ["newton", "poisson"]))

    def test_the_search_for_the_worst_case(self):
        self.interrupted(lambda: [carom.check(SOURCE / "config/scenes/disk-pile.yaml", "all") for _ in range(1000)])

    def test_comparisons_and_sweeps(self):
        output = self.folder / "laws.h5"
        self.interrupted(lambda: carom.compare(KANE_RODS, ["newton", "poisson"], duration=1e4, output=output))
        vary = {"restitution": {"path": "model.restitution", "from": 0, "to": 1, "count": 200000}}
        self.interrupted(lambda: carom.sweep({"scene": carom.Scene(KANE), "vary": vary, "measures": ["end_time"]}))

    def test_impacts(self):
        velocities = np.full((10_000_000, 1), -1.0)
        self.interrupted(lambda: carom.impact(mass=[[2.0]], velocity=velocities, contacts=[{"normal": [1.0]}], law="newton"))

    def test_forces_and_laws(self):
        self.interrupted(lambda: carom.Scene(KANE).simulate(duration=1e4, force=lambda state: {}))

        @carom.register
        class Slow:
            """takes its time"""

            name = "slow"

            def resolve(self, problem):
                time.sleep(0.01)
                return problem.impulses_by("newton")

        self.interrupted(lambda: carom.Scene(KANE_RODS).simulate(law="slow", duration=1e4))
        problem = {"mass": [[2.0]], "contacts": [{"normal": [1.0]}]}
        self.interrupted(lambda: carom.impact(velocity=np.full((100_000, 1), -1.0), law="slow", **problem))


if __name__ == "__main__":
    unittest.main()

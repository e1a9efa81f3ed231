"""A scene stepped by its caller, with forces and recorded quantities in Python."""

import unittest
import warnings

import numpy as np

import carom
from scene_test import BALL
from support import KANE_RODS, SCENES, InFolder, same_bits

FREE = {key: value for key, value in BALL.items() if key not in ("contacts", "gravity")} | {"gravity": [0, 0]}


class Steps(InFolder):
    def test_the_run_is_that_of_simulate(self):
        scene = carom.Scene(KANE_RODS)
        stepper = scene.stepper(duration=0.02)
        states = [(state.step, state.time) for state in stepper]
        expected = scene.simulate(duration=0.02)
        self.assertEqual(states[0], (0, 0.0))
        self.assertEqual(len(states), expected.attributes["steps"] + 1)
        same_bits(self, stepper.run.time, expected.time, "time")
        np.testing.assert_allclose(stepper.run.q, expected.q, atol=1e-12)
        self.assertEqual(stepper.run.status, "complete")

    def test_without_a_force_every_scene_moves_as_before(self):
        for path in SCENES:
            with self.subTest(scene=path.stem), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                scene = carom.Scene(path)
                duration = min(scene.duration, 20 * scene.step)
                found = scene.simulate(duration=duration, force=lambda state: {})
                expected = scene.simulate(duration=duration)
                np.testing.assert_allclose(found["energy/total"], expected["energy/total"], rtol=1e-7, atol=1e-9)

    def test_a_force_does_its_work(self):
        scene = carom.Scene(FREE)
        run = scene.simulate(force=lambda state: {"ball.vx": 2.0})
        np.testing.assert_allclose(run.q[:, 0], run.time**2, atol=1e-12)  # ½ F/m t²
        np.testing.assert_allclose(run.energy.work_applied, run.energy.kinetic, atol=1e-12)
        again = scene.simulate(force=lambda state: np.array([2.0, 0, 0]))
        same_bits(self, again.q, run.q, "q")

    def test_a_controller_between_steps(self):
        for state in (stepper := carom.Scene(FREE).stepper()):
            state.force[1] = 3.0 if state.time < 0.05 else 0.0
        self.assertAlmostEqual(stepper.run.u[-1, 1], 0.15, places=12)
        with self.assertRaises(KeyError):
            carom.Scene(FREE).stepper().apply({"ball.x": 1})

    def test_recorded_quantities(self):
        run = carom.Scene(BALL).simulate(record={"height": lambda state: state.q[1], "state": lambda state: state.u})
        np.testing.assert_array_equal(run.recorded.height, run.q[:, 1])
        np.testing.assert_array_equal(run.recorded["state"], run.u)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            run.save(self.folder / "run.h5")
        self.assertIn("height", str(told[0].message))

    def test_exceptions_close_the_file(self):
        def force(state):
            if state.step == 30:
                raise ZeroDivisionError("no force")
            return {}

        for output in (None, self.folder / "run.h5"):
            with self.assertRaisesRegex(ZeroDivisionError, "no force") as raised:
                carom.Scene(BALL).simulate(force=force, output=output)
            self.assertEqual(raised.exception.run.status, "failed: ZeroDivisionError: no force")
            self.assertEqual(raised.exception.run.step[-1], 30)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["run.h5"])

        def quantity(state):
            raise ValueError("nothing to see")

        with self.assertRaises(ValueError):
            carom.Scene(BALL).simulate(record={"x": quantity})
        with self.assertRaises(ValueError):
            carom.Scene(BALL).simulate(force=lambda state: np.zeros(7))

    def test_a_run_that_is_left(self):
        stepper = carom.Scene(BALL).stepper(output=self.folder / "run.h5")
        for state in stepper:
            if state.step == 12:
                break
        self.assertEqual(stepper.run.status, "interrupted")
        self.assertEqual(carom.open(self.folder / "run.h5").step[-1], 12)
        with self.assertRaises(IndexError):
            stepper.advance()


if __name__ == "__main__":
    unittest.main()

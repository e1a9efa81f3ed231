"""Laws in Python: in scenes, impacts, comparisons, checks and sweeps, with the program's verdicts."""

import time
import traceback
import unittest

import numpy as np

import carom
from scene_test import BALL
from support import KANE, KANE_RODS, SOURCE, InFolder

PROBLEM = SOURCE / "config/impacts/kane.yaml"


@carom.register
class Glue:
    """everything that collides sticks together"""

    name = "glue"
    uses_restitution = False

    def resolve(self, problem):
        if (problem.gamma_minus[[e["row"] for e in problem.elements if e["rows"]]] >= 0).all():
            return np.zeros(problem.rows)
        return -np.linalg.lstsq(problem.G, problem.gamma_minus, rcond=None)[0]


@carom.register
class Rebound:
    """Newton's law without friction, contact by contact"""

    name = "rebound"
    parameters = {"factor": "of the impulse"}

    def __init__(self, factor=1.0):
        self.factor = factor

    def resolve(self, problem):
        impulses = np.zeros(problem.rows)
        for element in problem.elements:
            row = element["row"]
            if element["kind"] == "contact" and problem.gamma_minus[row] < 0:
                impulses[row] = -(1 + element["restitution"]) * problem.gamma_minus[row] / problem.G[row, row]
        return self.factor * impulses


@carom.register
class Broken:
    """one that raises at its second impact"""

    name = "broken"
    asked = 0

    def resolve(self, problem):
        Broken.asked += 1
        if Broken.asked > 1:
            raise LookupError("lost")
        return Rebound().resolve(problem)


class Laws(InFolder):
    def setUp(self):
        super().setUp()
        Broken.asked = 0

    def test_the_same_as_the_one_in_the_list(self):
        without_friction = {**BALL, "integrator": {"step": 1e-3, "duration": 2}}
        expected = carom.Scene(without_friction).simulate(law="poisson")
        found = carom.Scene(without_friction).simulate(law="rebound")
        self.assertGreater(len(expected.impacts), 3)
        np.testing.assert_allclose(found.q, expected.q, atol=1e-12)
        self.assertEqual(found.law, "rebound")

    def test_impact_and_its_verdict(self):
        result = carom.impact(PROBLEM, law="glue")
        np.testing.assert_allclose(result.elements["tip"].velocity_after, 0, atol=1e-12)
        self.assertEqual(result.elements["tip"].state, "stick")
        weak = carom.impact(PROBLEM, law={"type": "rebound", "factor": 0.1})
        self.assertFalse(weak.consistency.kinematic)
        strong = carom.impact(PROBLEM, law={"type": "rebound", "factor": 3})
        self.assertFalse(strong.consistency.energetic)

    def test_it_is_one_of_the_list(self):
        self.assertEqual(carom.laws()["glue"]["statement"], "everything that collides sticks together")
        self.assertEqual(carom.laws()["rebound"]["parameters"][0]["name"], "factor")
        self.assertIn("glue", [answer["law"] for answer in carom.impact(PROBLEM, law=["newton", "glue"])])
        with self.assertRaisesRegex(carom.InputError, "did you mean 'glue'"):
            carom.Scene(KANE).simulate(law="gluee")
        with self.assertRaisesRegex(carom.InputError, "factr"):
            carom.Scene(KANE).simulate(law={"type": "rebound", "factr": 1})

    def test_the_problem(self):
        seen = {}

        class Curious:
            """one that looks"""

            name = "curious"

            def resolve(self, problem):
                seen.update(problem=problem, M=problem.M, W=problem.W, G=problem.G, u=problem.u_minus)
                seen.update(gamma=problem.gamma_minus, elements=problem.elements, newton=problem.impulses_by("newton"))
                return seen["newton"]

        carom.register(Curious)
        result = carom.impact(PROBLEM, law="curious")
        np.testing.assert_allclose(seen["W"].T @ seen["u"], seen["gamma"], atol=1e-12)
        np.testing.assert_allclose(seen["W"].T @ np.linalg.solve(seen["M"], seen["W"]), seen["G"], atol=1e-12)
        np.testing.assert_allclose(seen["M"] @ (result.velocity_after - seen["u"]), seen["W"] @ seen["newton"], atol=1e-12)
        self.assertEqual(seen["elements"][0]["friction"].tolist(), [0.5])
        np.testing.assert_allclose(result.velocity_after, carom.impact(PROBLEM, law="newton").velocity_after)
        with self.assertRaisesRegex(RuntimeError, "only while its law resolves it"):
            seen["problem"].G
        run = carom.Scene(KANE_RODS).simulate(law="curious", duration=0.01)  # with joints
        self.assertEqual(seen["W"].shape, (6, 2))
        self.assertEqual(run.status, "complete")

    def test_exceptions_end_the_run(self):
        for output in (None, self.folder / "run.h5"):
            Broken.asked = 0
            scene = carom.Scene(BALL)
            scene["integrator.duration"] = 2
            try:
                scene.simulate(law="broken", output=output)
                self.fail("it did not raise")
            except LookupError as error:
                self.assertEqual(str(error), "lost")
                self.assertIn("resolve", [frame.name for frame in traceback.extract_tb(error.__traceback__)])
                self.assertEqual(error.run.status, "failed: LookupError: lost")
                self.assertEqual(len(error.run.impacts), 1)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["run.h5"])

    def test_answers_that_are_none(self):
        for answer in (None, "x", [1.0], [float("nan")] * 2, [[1, 2]]):
            law = type("Wrong", (), {"name": "wrong", "statement": "wrong", "resolve": lambda self, problem, a=answer: a})
            carom.register(law)
            with self.assertRaises((ValueError, TypeError)):
                carom.impact(PROBLEM, law="wrong")

    def test_refusal(self):
        class Shy:
            """refuses"""

            name = "shy"

            def resolve(self, problem):
                raise carom.Refused("friction is not for me; newton takes it")

        carom.register(Shy)
        with self.assertRaisesRegex(carom.InputError, "not for me"):
            carom.impact(PROBLEM, law="shy")

    def test_what_is_no_law(self):
        for wrong in (3, object, type("NoLaw", (), {})):
            with self.assertRaises(TypeError):
                carom.register(wrong)
        with self.assertRaisesRegex(TypeError, "does not say what it states: give it a docstring"):
            carom.register(type("Silent", (), {"resolve": lambda s, p: []}))
        with self.assertRaisesRegex(ValueError, "carom's own"):
            carom.register(type("Newton", (), {"name": "newton", "statement": "mine", "resolve": lambda s, p: []}))

    def test_compared_checked_swept(self):
        compared = carom.compare(KANE, ["newton", "glue"], duration=0.05)
        self.assertEqual([run["law"] for run in compared.runs], ["newton", "glue"])
        self.assertIn("glue", repr(compared))
        self.assertEqual(carom.check(KANE, ["glue"]).impacts[0]["laws"][0]["law"], "glue")
        swept = carom.sweep({"scene": carom.Scene(KANE), "vary": {"law.type": ["newton", "glue"]}, "measures": ["work"]})
        self.assertTrue(np.isfinite(swept["work"]).all())

    def test_a_call_costs_little(self):
        velocities = np.tile([-1.0], (20000, 1))
        problem = {"mass": [[2.0]], "contacts": [{"normal": [1.0], "restitution": 0.5}]}

        class Bare:
            """the least"""

            name = "bare"

            def resolve(self, problem):
                return [3.0]

        carom.register(Bare)

        def seconds(law):
            begin = time.process_time()
            carom.impact(velocity=velocities, law=law, **problem)
            return time.process_time() - begin

        def least(law):
            return min(seconds(law) for _ in range(3))

        self.assertLess((least("bare") - least("newton")) / len(velocities), 20e-6)


if __name__ == "__main__":
    unittest.main()

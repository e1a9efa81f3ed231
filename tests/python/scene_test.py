"""Scenes from files, texts and dicts; values by path; mistakes in the words of the command line."""

import unittest
import warnings

import numpy as np

import carom
from support import KANE, KANE_RODS, InFolder, program

BALL = {
    "scene": "ball",
    "gravity": [0, -9.81],
    "bodies": {"ball": {"shape": "disk", "radius": 0.1, "mass": 1, "position": [0, 1]}},
    "contacts": {"floor": {"body": "ball", "plane": {"point": [0, 0]}, "restitution": 0.5}},
    "law": "newton",
    "integrator": {"step": 1e-3, "duration": 0.1},
}


class Scenes(InFolder):
    def test_file_text_and_dict_are_one_scene(self):
        from_file = carom.Scene(KANE_RODS)
        from_text = carom.Scene(KANE_RODS.read_text())
        from_dict = carom.Scene(from_file.to_dict())
        for scene in (from_text, from_dict):
            np.testing.assert_array_equal(scene.q, from_file.q)
            self.assertEqual(scene.positions, from_file.positions)
            self.assertEqual(scene.simulate(duration=0.01).q.tobytes(), from_file.simulate(duration=0.01).q.tobytes())

    def test_facts(self):
        scene = carom.Scene(BALL)
        self.assertEqual((scene.name, scene.law, scene.bodies, scene.contacts), ("ball", "newton", ["ball"], ["floor"]))
        self.assertEqual([unit for _, unit in scene.positions], ["m", "m", "rad"])
        self.assertEqual((scene.step, scene.duration), (1e-3, 0.1))
        self.assertIn("ball", repr(scene))

    def test_values_by_path(self):
        scene = carom.Scene(KANE_RODS)
        self.assertEqual(scene["contacts.tip.friction"], 0.5)
        scene["contacts.tip.friction"] = 0.2
        scene["contacts.tip.friction"] = np.float64(0.3)
        self.assertEqual(scene["contacts.tip.friction"], 0.3)
        self.assertEqual(scene["law.type"], "poisson")
        scene["law"] = {"type": "newton"}
        self.assertEqual(scene.law, "newton")
        scene["gravity"] = np.array([0, -1.5])
        self.assertEqual(scene["gravity"], [0, -1.5])
        scene["bodies.upper.angle"] = "-70 deg"
        with self.assertRaises(KeyError):
            scene["contacts.tip.colour"]

    def test_a_value_is_what_set_makes_of_it(self):
        scene = carom.Scene(KANE_RODS)
        scene["contacts.tip.friction"] = 0.2
        path = self.folder / "run.h5"
        self.assertEqual(program("simulate", KANE_RODS, "--set", "contacts.tip.friction=0.2", "--duration", "0.05", "-o", path).returncode, 0)
        self.assertEqual(scene.simulate(duration=0.05).q.tobytes(), carom.open(path).q.tobytes())

    def test_a_copy_is_its_own(self):
        scene = carom.Scene(BALL)
        twin = scene.copy()
        twin["law"] = "poisson"
        self.assertEqual((scene.law, twin.law), ("newton", "poisson"))

    def test_warnings(self):
        steep = {**BALL, "contacts": {"floor": {**BALL["contacts"]["floor"], "restitution": 1.2}}, "law": "poisson"}
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            scene = carom.Scene(steep)
        self.assertEqual([str(w.message) for w in told], scene.warnings)
        self.assertTrue(scene.warnings)


class Mistakes(InFolder):
    def test_every_line_as_the_command_line_tells_it(self):
        path = self.folder / "bad.yaml"
        path.write_text(KANE_RODS.read_text().replace("restitution", "restituton").replace("law: poisson", "law: poison"))
        told = program("simulate", path)
        self.assertEqual(told.returncode, 2)
        with self.assertRaises(carom.InputError) as raised:
            carom.Scene(path)
        self.assertEqual(str(raised.exception) + "\n", told.stderr)
        self.assertEqual(len(str(raised.exception).splitlines()), 2)

    def test_no_such_file(self):
        with self.assertRaises(carom.InputError) as raised:
            carom.Scene(self.folder / "none.yaml")
        self.assertEqual(str(raised.exception) + "\n", program("simulate", self.folder / "none.yaml").stderr)

    def test_a_bad_value_leaves_the_scene(self):
        scene = carom.Scene(BALL)
        with self.assertRaises(carom.InputError) as raised:
            scene["contacts.floor.friction"] = -1
        self.assertIn("--set contacts.floor.friction=-1", str(raised.exception))
        self.assertEqual(len(scene.simulate().time), 101)
        with self.assertRaises(ValueError):  # it is one
            scene["contacts.flor.friction"] = 1

    def test_options_of_a_run(self):
        scene = carom.Scene(KANE)
        told = program("simulate", KANE, "--law", "newtn", "-o", self.folder / "x.h5")
        with self.assertRaises(carom.InputError) as raised:
            scene.simulate(law="newtn")
        self.assertEqual(str(raised.exception) + "\n", told.stderr)
        with self.assertRaises(carom.InputError):
            scene.simulate(law="newton", set={"law": "poisson"})

    def test_what_is_no_scene(self):
        for wrong in (3, None, [1]):
            with self.assertRaises(TypeError):
                carom.Scene(wrong)
        with self.assertRaises(TypeError):
            carom.Scene({**BALL, "about": object()})


if __name__ == "__main__":
    unittest.main()

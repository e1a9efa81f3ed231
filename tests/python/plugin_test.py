"""Plug-ins in Python: laws, models and solvers of a shared library; mistakes in the words of the command line."""

import os
import subprocess
import sys
import unittest

import carom
from scene_test import BALL
from support import KANE, InFolder, program, same_bits

PLUGIN = os.environ["CAROM_TEST_PLUGIN"]
ALL = {"model": "falling-ball", "solver": "by-lemke", "law": {"type": "plastic", "share": 0.5}, "integrator": {"step": 1e-3, "duration": 1}}


def python(script, **environment):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, **environment})


class Plugins(InFolder):
    def test_law_model_and_solver(self):
        with self.assertRaisesRegex(carom.InputError, "others come in with --plugin"):
            carom.Scene(BALL).simulate(law="plastic")
        carom.Scene(BALL)  # the keys of a scene are known by now
        carom.load_plugin(PLUGIN)
        carom.load_plugin(PLUGIN)
        self.assertEqual(carom.laws()["plastic"]["origin"], PLUGIN)
        run = carom.Scene(ALL).simulate()
        (self.folder / "all.yaml").write_text(carom.Scene(ALL).yaml)
        told = program("simulate", self.folder / "all.yaml", "--plugin", PLUGIN, "-o", self.folder / "all.h5")
        self.assertEqual(told.returncode, 0, told.stderr)
        same_bits(self, run.q, carom.open(self.folder / "all.h5").q, "q")
        result = carom.impact(KANE, law="plastic")
        same_bits(self, result.velocity_after, carom.impact(KANE, law="inelastic").velocity_after, "u")
        self.assertEqual(carom.check(KANE, ["plastic"]).impacts[0]["laws"][0]["law"], "plastic")
        with self.assertRaisesRegex(ValueError, f"there is a law 'plastic' already, from {PLUGIN}"):
            carom.register(type("Plastic", (), {"name": "plastic", "statement": "mine", "resolve": lambda s, p: []}))

    def test_mistakes(self):
        for path in (self.folder / "none.so", KANE, self.folder):
            with self.assertRaises(carom.InputError) as raised:
                carom.load_plugin(path)
            self.assertEqual(str(raised.exception) + "\n", program("laws", "--plugin", path).stderr)

    def test_plugins_of_the_environment(self):
        named = python("import carom; print(carom.laws()['plastic']['origin'])", CAROM_PLUGINS=PLUGIN)
        self.assertEqual(named.stdout.strip(), PLUGIN, named.stderr)
        self.assertIn("there is no such file", python("import carom", CAROM_PLUGINS="none.so").stderr)


if __name__ == "__main__":
    unittest.main()

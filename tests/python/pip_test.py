"""pip installs carom from the sources, without an index, into an environment of its own."""

import importlib.util
import os
import subprocess
import sys
import unittest
from pathlib import Path

from support import KANE, SOURCE, InFolder

import carom

if not importlib.util.find_spec("pip"):
    print("no pip: skipped")
    sys.exit(77)


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


class Pip(InFolder):
    def test_installed_into_an_environment(self):
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        environment["CAROM_BUILD"] = str(Path(carom.__file__).parents[2])
        place = self.folder / "environment"
        run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", place)
        python = place / "bin/python"
        pip = [sys.executable, "-m", "pip", "--python", python]
        run(*pip, "install", "--no-index", "--no-build-isolation", SOURCE / "tools/python", env=environment)
        self.assertFalse(list((SOURCE / "tools/python").glob("*.egg-info")))
        script = f"import carom; print(carom.__file__); print(carom.Scene({str(KANE)!r}).simulate(duration=0.01).q.tobytes().hex())"
        file, bits = run(python, "-c", script, env=environment, cwd=self.folder).split()
        self.assertTrue(file.startswith(str(place)), file)
        self.assertEqual(bits, carom.Scene(KANE).simulate(duration=0.01).q.tobytes().hex())
        self.assertIn(f"Version: {carom.__version__}", run(*pip, "show", "carom", env=environment))
        run(*pip, "uninstall", "-y", "carom", env=environment)
        gone = subprocess.run([python, "-c", "import carom"], capture_output=True, env=environment, cwd=self.folder)
        self.assertNotEqual(gone.returncode, 0)


if __name__ == "__main__":
    unittest.main()

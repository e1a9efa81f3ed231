"""What the tests share: where things are, and the program to compare with."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import carom

SOURCE = Path(os.environ["CAROM_SOURCE"])
PROGRAM = os.environ["CAROM_PROGRAM"]
SCENES = sorted((SOURCE / "config/scenes").glob("*.yaml"))
KANE = SOURCE / "config/scenes/kane.yaml"
KANE_RODS = SOURCE / "config/scenes/kane-rods.yaml"


def program(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def same_bits(test, found, expected, what):
    test.assertEqual(found.shape, expected.shape, what)
    test.assertEqual(found.dtype, expected.dtype, what)
    test.assertEqual(found.tobytes(), expected.tobytes(), what)


class InFolder(unittest.TestCase):
    """Tests with a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

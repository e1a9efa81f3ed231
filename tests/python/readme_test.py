"""Python as the READMEs show it runs as it stands, in a folder that has the scenes."""

import importlib.util
import os
import re
import unittest
import warnings

os.environ.setdefault("MPLBACKEND", "Agg")

from support import SOURCE, InFolder, program


class Readmes(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "config").symlink_to(SOURCE / "config")
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def run_blocks(self, path):
        names = {"__name__": "readme"}
        blocks = re.findall(r"^```python\n(.*?)^```", (SOURCE / path).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(blocks), 2)
        for number, block in enumerate(blocks):
            if "import h5py" in block and not importlib.util.find_spec("h5py"):
                continue
            with self.subTest(block=number), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(block, f"{path}, block {number}", "exec"), names)

    def test_of_the_project(self):
        self.assertEqual(program("simulate", "config/scenes/kane.yaml", "--duration", "0.1").returncode, 0)
        self.run_blocks("README.md")

    def test_of_the_module(self):
        self.run_blocks("tools/python/README.md")


if __name__ == "__main__":
    unittest.main()

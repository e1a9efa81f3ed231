"""The notebooks hold no outputs and run from top to bottom; their assertions hold."""

import json
import os
import unittest

os.environ.setdefault("MPLBACKEND", "Agg")

from support import SOURCE

NOTEBOOKS = sorted((SOURCE / "tools/python/notebooks").glob("*.ipynb"))


class Notebooks(unittest.TestCase):
    def test_there_are_five(self):
        self.assertEqual(len(NOTEBOOKS), 5)

    def test_they_run(self):
        for path in NOTEBOOKS:
            cells = json.loads(path.read_text())["cells"]
            code = [cell for cell in cells if cell["cell_type"] == "code"]
            with self.subTest(notebook=path.stem):
                self.assertTrue(all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code))
                names = {"__name__": path.stem}
                for number, cell in enumerate(code):
                    exec(compile("".join(cell["source"]), f"{path.stem}, cell {number}", "exec"), names)


if __name__ == "__main__":
    unittest.main()

"""The manual: every command and every line of Python that it shows runs; every link leads somewhere.

Usage: docs_test.py CAROM SOURCE [PYTHON_MODULE_FOLDER]"""

import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

CAROM, SOURCE = map(os.path.abspath, sys.argv[1:3])
MODULE = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
PAGES = sorted(glob.glob(os.path.join(SOURCE, "tools", "docs", "pages", "*.md")))
ENVIRONMENT = {**os.environ, "PATH": os.path.dirname(CAROM) + os.pathsep + os.environ["PATH"], **({"PYTHONPATH": MODULE} if MODULE else {})}


def blocks(path):
    with open(path) as file:
        return re.findall(r"^```(console|python)\n(.*?)^```", file.read(), re.M | re.S)


class Manual(unittest.TestCase):
    def run_in(self, folder, *command):
        done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{shlex.join(command)}: {done.stderr}")

    def test_every_command_runs(self):
        count = 0
        for path in PAGES:
            with self.subTest(page=os.path.basename(path)), tempfile.TemporaryDirectory() as folder:
                for kind, text in blocks(path):
                    if kind == "console":
                        for line in text.splitlines():
                            self.assertTrue(line.startswith("$ carom "), line)
                            self.run_in(folder, *shlex.split(line[2:]))
                            count += 1
                    elif MODULE:
                        self.run_in(folder, sys.executable, "-c", text)
        self.assertGreater(count, 15)

    def test_the_site_is_whole(self):
        with tempfile.TemporaryDirectory() as site:
            self.run_in(SOURCE, sys.executable, os.path.join(SOURCE, "tools", "docs", "build.py"), CAROM, SOURCE, site, "--quick")
            pages = glob.glob(os.path.join(site, "*.html"))
            self.assertEqual(len(pages), 12)
            for page in pages:
                with open(page) as file:
                    text = file.read()
                for address in re.findall(r'(?:href|src)="([^"#]+)', text):
                    self.assertNotRegex(address, "^(https?:)?//", f"{page} asks the network")
                    self.assertTrue(os.path.exists(os.path.join(site, address)), f"{page}: {address}")
            with open(os.path.join(site, "laws.html")) as file:
                laws = file.read()
            for law in ["newton", "poisson", "stronge", "compliant"]:
                self.assertIn(f'id="{law}"', laws)
            self.assertGreater(len(glob.glob(os.path.join(site, "scenes", "*.html"))), 30)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

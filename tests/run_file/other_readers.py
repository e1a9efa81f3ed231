"""Runs and comparisons opened whole by programs that know nothing of carom: Octave, h5py, xarray.

Usage: other_readers.py CAROM SCENES"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
except ImportError:
    h5py = None
try:
    import xarray
    import h5netcdf  # noqa: F401 (xarray reads by it)
except ImportError:
    xarray = None

OCTAVE = shutil.which("octave-cli") or shutil.which("octave")
PROGRAM, SCENES = map(os.path.abspath, sys.argv[1:3])
FOLDER = tempfile.mkdtemp(prefix="carom-readers-")

# A body whose name is no ASCII, told with a note and with contacts.
SCENE = """scene: ball
gravity: [0, -9.81]
bodies:
  "ballε": {shape: disk, radius: 0.1, mass: 1, position: [0, 1], angle: 7}
contacts:
  floor: {body: "ballε", plane: {point: [0, 0]}, restitution: 0.5, friction: 0.3}
law: newton
integrator: {step: 1e-3, duration: 1}
"""


def carom(*arguments):
    done = subprocess.run([PROGRAM, *arguments], cwd=FOLDER, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"carom {' '.join(arguments)}: {done.stderr}")
    return done


def octave(program):
    done = subprocess.run([OCTAVE, "--quiet", "--no-gui", "--no-window-system", "--eval", program], cwd=FOLDER, capture_output=True, text=True)
    return done.stdout, done.stderr


def path(name):
    return os.path.join(FOLDER, name)


def setUpModule():
    with open(path("ball.yaml"), "w") as file:
        file.write(SCENE)
    carom("simulate", "ball.yaml", "-o", "run.h5")
    carom("simulate", "ball.yaml", "--set", "output.compression=4", "-o", "packed.h5")
    carom("compare", "ball.yaml", "--laws", "newton,poisson", "-o", "laws.h5", "--duration", "0.5")


def tearDownModule():
    shutil.rmtree(FOLDER, ignore_errors=True)


@unittest.skipUnless(OCTAVE, "Octave is not installed")
class Octave(unittest.TestCase):
    def load(self, file, say):
        out, err = octave(f"s = load('{file}'); {say}")
        self.assertNotIn("HDF5-DIAG", err)
        self.assertNotIn("error", err.replace("error: ignoring const execution_exception", ""))
        return out

    def test_a_run_loads_whole(self):
        for file in ["run.h5", "packed.h5"]:
            out = self.load(file, "printf('%s|%s|%d|%s\\n', s.scene_yaml(1:11), s.impacts.element_names(1, 1:5), columns(s.time), strtrim(s.log.level(1, :)))")
            text, element, samples, level = out.strip().split("|")
            self.assertEqual([text, element, samples, level], ["scene: ball", "floor", "1001", "warning"], file)

    def test_a_comparison_loads_whole(self):
        out = self.load("laws.h5", "printf('%s|%d\\n', strjoin(fieldnames(s.laws)', ','), columns(s.laws.newton.energy.total))")
        self.assertEqual(out.strip(), "newton,poisson|501")


@unittest.skipUnless(h5py, "h5py is not installed")
class H5py(unittest.TestCase):
    def test_texts_have_one_width(self):
        def check(name, item):
            if isinstance(item, h5py.Dataset):
                self.assertIsNone(h5py.check_vlen_dtype(item.dtype), f"{name} has texts of any length")
        for file in ["run.h5", "packed.h5", "laws.h5"]:
            with h5py.File(path(file)) as f:
                f.visititems(check)
        with h5py.File(path("run.h5")) as f:
            self.assertIn("ballε", f["scene_yaml"][()].decode())
            self.assertEqual([name.decode() for name in f["q_names"][:]], list(f["q"].attrs["names"]))

    def test_what_a_run_told_is_kept(self):
        with h5py.File(path("run.h5")) as f:
            told = [(level.decode(), text.decode()) for level, text in zip(f["log/level"][:], f["log/text"][:])]
            self.assertTrue(any(level == "warning" and "turn" in text for level, text in told), told)
            self.assertEqual(len(told), len(f["log/step"]))

    def test_extents_are_tied(self):
        with h5py.File(path("packed.h5")) as f:
            self.assertEqual(f["q"].dims[0][0].name, "/time")
            self.assertEqual(f["contacts/floor/impulse"].dims[1][0].name, "/directions")


@unittest.skipUnless(xarray, "xarray or h5netcdf is not installed")
class Xarray(unittest.TestCase):
    def test_a_run_has_labelled_axes(self):
        for file in ["run.h5", "packed.h5"]:
            with xarray.open_dataset(path(file), engine="h5netcdf") as run:
                self.assertEqual(run.q.dims, ("time", "q_names"))
                self.assertAlmostEqual(float(run.q.sel(time=0, q_names="ballε.y")), 1)
                self.assertIn("scene: ball", str(run.scene_yaml.values))
            with xarray.open_dataset(path(file), engine="h5netcdf", group="energy") as energy:
                self.assertEqual(energy.total.dims, ("time",))
            with xarray.open_dataset(path(file), engine="h5netcdf", group="impacts/elements") as elements:
                self.assertEqual(elements.impulse.dims, ("impact", "directions"))

    def test_a_run_of_a_comparison_too(self):
        with xarray.open_dataset(path("laws.h5"), engine="h5netcdf", group="laws/poisson") as run:
            self.assertEqual(run.u.dims, ("time", "u_names"))


if __name__ == "__main__":
    if not (OCTAVE or h5py or xarray):
        print("skipped: neither Octave nor h5py nor xarray with h5netcdf is installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])

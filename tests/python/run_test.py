"""Runs: the same bits as the command line, arrays without copies, files, other forms, and how they end."""

import gc
import os
import signal
import threading
import time
import unittest
import warnings
import weakref

import numpy as np

import carom
from support import KANE, KANE_RODS, SCENES, InFolder, program, same_bits

STEPS = 60


class SameBits(InFolder):
    def test_every_shipped_scene(self):
        for path in SCENES:
            with self.subTest(scene=path.stem), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                scene = carom.Scene(path)
                duration = min(scene.duration, STEPS * scene.step)
                file = self.folder / f"{path.stem}.h5"
                told = program("simulate", path, "--duration", repr(duration), "-o", file, "--quiet")
                self.assertEqual(told.returncode, 0, told.stderr)
                self.compare(scene.simulate(duration=duration), carom.open(file), self.folder / f"{path.stem}-kept.h5")

    def compare(self, kept, written, again):
        self.assertEqual(sorted(kept.keys()), sorted(written.keys()))
        kept.save(again)
        saved = carom.open(again)
        for column in kept.keys():
            same_bits(self, kept[column], written[column], column)
            same_bits(self, saved[column], written[column], column)
            self.assertEqual(kept.info(column), written.info(column), column)
        self.assertEqual(kept.impacts.element_names, written.impacts.element_names)
        self.assertEqual(kept.scene_yaml, written.scene_yaml)
        for name, value in written.attributes.items():
            if name != "wall_seconds":
                self.assertEqual(kept.attributes[name], value, name)

    def test_a_saved_run_goes_on(self):
        carom.Scene(KANE).simulate(duration=0.02).save(self.folder / "half.h5")
        self.assertEqual(program("simulate", "--resume", self.folder / "half.h5", "--duration", "0.05").returncode, 0)
        same_bits(self, carom.open(self.folder / "half.h5").q, carom.Scene(KANE).simulate(duration=0.05).q, "q")

    def test_written_as_it_goes(self):
        run = carom.Scene(KANE).simulate(duration=0.05, output=self.folder / "run.h5")
        self.assertEqual(run.path, str(self.folder / "run.h5"))
        same_bits(self, run.q, carom.Scene(KANE).simulate(duration=0.05).q, "q")
        with self.assertRaises(carom.FileError) as raised:
            carom.Scene(KANE).simulate(duration=0.05, output=self.folder / "run.h5")
        self.assertIn("run.h5", str(raised.exception))
        carom.Scene(KANE).simulate(duration=0.05, output=self.folder / "run.h5", overwrite=True)


class Columns(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.run_of_kane = carom.Scene(KANE_RODS).simulate(law="newton", duration=0.3)

    def test_names_of_the_run_file(self):
        run = self.run_of_kane
        self.assertEqual(run.q.shape, (len(run.time), len(run.names("q"))))
        self.assertEqual(run.units("q")[:3], ["m", "m", "rad"])
        np.testing.assert_array_equal(run.energy.total, run["energy/total"])
        np.testing.assert_allclose(run.energy.total, run.energy.kinetic + run.energy.potential, rtol=1e-12)
        self.assertEqual(list(run.contacts), ["tip"])
        self.assertEqual(run.contacts["tip"].velocity.shape, (len(run.time), 2))
        self.assertEqual(run.bodies["upper"].pose.shape, (len(run.time), 3))
        self.assertGreater(len(run.impacts), 0)
        self.assertEqual(run.impacts.energetic.dtype, bool)
        self.assertFalse(run.impacts.energetic.all())  # Newton's law creates energy on Kane's pendulum
        with self.assertRaises(AttributeError):
            run.energy.heat
        with self.assertRaises(KeyError):
            run["energy/heat"]

    def test_no_copies_and_no_writing(self):
        run = self.run_of_kane
        self.assertEqual(run._source.array("q").ctypes.data, run._source.array("q").ctypes.data)
        with self.assertRaises(ValueError):
            run.q[0, 0] = 1

    def test_arrays_outlive_their_run(self):
        run = carom.Scene(KANE).simulate(duration=0.02)
        q, copy = run.q, run.q.copy()
        del run
        gc.collect()
        carom.Scene(KANE).simulate(duration=0.02)
        np.testing.assert_array_equal(q, copy)

    def test_xarray(self):
        data = self.run_of_kane.to_xarray()
        name = self.run_of_kane.names("q")[2]
        np.testing.assert_array_equal(data["q"].sel(position=name), self.run_of_kane.q[:, 2])
        self.assertEqual(data["energy/total"].attrs["units"], "J")
        self.assertEqual(data["impacts/work"].dims, ("impact",))
        self.assertEqual(data.attrs["law"], "newton")

    def test_pandas(self):
        frame = self.run_of_kane.to_dataframe()
        np.testing.assert_array_equal(frame["energy/total"], self.run_of_kane.energy.total)
        impacts = self.run_of_kane.impacts.to_dataframe()
        np.testing.assert_array_equal(impacts["work"], self.run_of_kane.impacts.work)
        self.assertEqual(set(impacts["elements"]), {"tip"})
        elements = self.run_of_kane.impacts.elements_to_dataframe()
        np.testing.assert_array_equal(elements["impulse.normal"], self.run_of_kane.impacts.elements.impulse[:, 0])
        self.assertLessEqual(set(elements["state"]), {"open", "closed", "stick", "slip", "reverse"})

    def test_figures_and_pages(self):
        figure = self.run_of_kane.plot()
        self.assertEqual(len(figure.axes), 3)
        figure.savefig(self.folder / "kane.png")
        self.assertEqual(len(self.run_of_kane.plot("contacts/tip/gap").axes), 1)
        with self.assertRaises(KeyError):
            self.run_of_kane.plot("impacts/work")
        self.run_of_kane.report(self.folder / "kane.html")
        self.assertIn("<html", (self.folder / "kane.html").read_text())
        self.assertIn("<iframe", self.run_of_kane.animate()._repr_html_())

    def test_texts(self):
        self.assertIn("kane-rods, law newton: complete", repr(self.run_of_kane))
        self.assertIn("<pre>kane-rods", self.run_of_kane._repr_html_())
        self.run_of_kane.save(self.folder / "run.h5")
        shown = program("inspect", self.folder / "run.h5").stdout
        self.assertEqual(repr(carom.open(self.folder / "run.h5")) + "\n", shown)

    def test_what_is_no_run(self):
        with self.assertRaises(carom.FileError) as raised:
            carom.open(KANE)
        self.assertEqual(str(raised.exception) + "\n", program("inspect", KANE).stderr)


def _bits_in_a_child(duration):
    return carom.Scene(KANE_RODS).simulate(duration=duration).q.tobytes()


class Ends(InFolder):
    """Each run that does not end by itself keeps what it has, and its file is closed."""

    LONG = {"duration": 1e4}

    def test_failure(self):
        scene = carom.Scene(KANE)
        scene.set({"integrator.on_inconsistent": "stop", "law": "newton"})
        with self.assertRaises(carom.RunFailed) as raised:
            scene.simulate()
        told = program("simulate", KANE, "--law", "newton", "--set", "integrator.on_inconsistent=stop", "-o", self.folder / "x.h5")
        self.assertEqual(told.returncode, 1)
        self.assertIn(str(raised.exception), told.stderr)
        self.assertGreater(len(raised.exception.run.time), 0)
        self.assertTrue(raised.exception.run.status.startswith("failed: "))

    def interrupted(self, **options):
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt) as raised:
            carom.Scene(KANE).simulate(**self.LONG, **options)
        return raised.exception.run

    def test_interrupt(self):
        run = self.interrupted()
        self.assertEqual(run.status, "interrupted")
        self.assertEqual(run.step[-1], run.attributes["steps"])

    def test_interrupt_closes_the_file(self):
        run = self.interrupted(output=self.folder / "run.h5")
        self.assertEqual(run.status, "interrupted")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["run.h5"])
        longer = repr(float(run.time[-1]) + 0.01)
        self.assertEqual(program("simulate", "--resume", self.folder / "run.h5", "--duration", longer).returncode, 0)

    def test_progress(self):
        told = []
        scene = carom.Scene(KANE)

        def progress(state):
            told.append(state)
            if len(told) == 2:
                raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough") as raised:
            scene.simulate(progress=progress, output=self.folder / "run.h5", **self.LONG)
        self.assertEqual(raised.exception.run.status, "failed: RuntimeError: enough")
        self.assertLess(told[0]["time"], told[1]["time"])
        self.assertEqual(told[0]["duration"], 1e4)
        self.assertEqual(carom.open(self.folder / "run.h5").status, "failed: RuntimeError: enough")

    def test_other_threads_go_on(self):
        ticks, running = 0, True

        def tick():
            nonlocal ticks
            while running:
                ticks += 1
                time.sleep(0.001)

        other = threading.Thread(target=tick)
        other.start()
        try:
            carom.Scene(KANE).simulate(duration=20)
        finally:
            running = False
            other.join()
        self.assertGreater(ticks, 5)

    def test_threads_of_runs(self):
        expected = carom.Scene(KANE_RODS).simulate(duration=0.1).q.tobytes()
        scene, found = carom.Scene(KANE_RODS), []
        threads = [threading.Thread(target=lambda: found.append(scene.simulate(duration=0.1).q.tobytes())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 8)

    def test_forks(self):
        import multiprocessing

        scene = carom.Scene(KANE_RODS)
        expected = scene.simulate(duration=0.1).q.tobytes()
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(_bits_in_a_child, [0.1] * 4), [expected] * 4)

    def test_runs_that_fail_leave_nothing(self):
        @carom.register
        class Raises:
            """raises"""

            name = "raises"

            def resolve(self, problem):
                raise LookupError("lost")

        scene, left = carom.Scene(KANE), []
        for _ in range(3):
            try:
                scene.simulate(law="raises", duration=0.01)
            except LookupError as error:
                left.append(weakref.ref(error.run))
        gc.collect()
        self.assertEqual([run() for run in left], [None] * 3)

    def test_many_runs_leave_nothing(self):
        import resource

        scene = carom.Scene(KANE)
        for _ in range(50):
            scene.simulate(duration=0.01)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(1000):
            scene.simulate(duration=0.01)
        gc.collect()
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4096)  # kB


if __name__ == "__main__":
    unittest.main()

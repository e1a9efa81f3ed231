"""The report in a browser: python3 report_test.py CAROM SOURCE. Exit code 77 (skipped) without Chromium.

What the page shows is compared with what `carom inspect` and `carom impact` print; nothing here reads HDF5, except that
files of sweeps and comparisons are made with h5py where it is installed."""

import csv
import glob
import io
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

from browser import Browser, find_browser

try:
    import h5py
except ImportError:
    h5py = None

CAROM = SOURCE = BROWSER = FOLDER = None


def carom(*arguments):
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"carom {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def scene(name):
    return os.path.join(SOURCE, "config", "scenes", name + ".yaml")


def simulated(name, *options, out=None):
    """RUN.h5 of a shipped scene."""
    path = os.path.join(FOLDER, (out or name) + ".h5")
    carom("simulate", scene(name), "-o", path, "--force", "--quiet", *options)
    return path


def reported(file):
    page = file[:-3] + ".html"
    carom("report", file, "--force", "-o", page)
    return page


def columns(file, names):
    rows = list(csv.reader(io.StringIO(carom("inspect", file, "--csv", names))))
    return [list(map(float, column)) for column in zip(*rows[1:])]


def separated(p, q):
    """Whether two convex polygons are apart: then along the normal of an edge."""
    for polygon in (p, q):
        for (x, y), (u, v) in zip(polygon, polygon[1:] + polygon[:1]):
            a, b = ([(y - v) * s + (u - x) * t for s, t in points] for points in (p, q))
            if max(a) < min(b) or max(b) < min(a):
                return True
    return False


# What a click on an SVG button would save, and on a CSV button copy.
CATCH = """(() => {
  window.saved = null; window.copied = null;
  URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return "blob:none"; };
  HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; };
  Object.defineProperty(navigator, "clipboard", {value: {writeText: text => { window.copied = text; return Promise.resolve(); }}});
})()"""


class Page(unittest.TestCase):
    def setUp(self):
        self.browser = BROWSER
        self.browser.errors, self.browser.requests = [], []
        self.browser.scheme("light")
        self.browser.size(1200, 900)

    def tearDown(self):
        errors, requests = self.browser.errors, self.browser.requests
        self.assertEqual(errors, [], "the console complains")
        self.assertEqual([r for r in requests if not r.startswith(("file:", "data:", "blob:", "about:"))], [], "the page asks the network")

    def open(self, page):
        self.browser.open(page)
        self.js(CATCH)

    def js(self, expression):
        return self.browser.evaluate(expression)

    def assert_no_overflow(self, width, what):
        self.browser.size(width, 800)
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), width, f"{what} is wider than {width} pixels")


class Run(Page):
    @classmethod
    def setUpClass(cls):
        cls.file = simulated("kane", "--law", "newton")
        cls.page = reported(cls.file)
        cls.inspected = json.loads(carom("inspect", cls.file, "--json", "--impacts"))

    def test_impacts_are_those_of_the_file(self):
        self.open(self.page)
        shown = self.js("carom.data.runs[0].impacts.list")
        listed = self.inspected["impacts"]["list"]
        self.assertEqual(len(shown), len(listed))
        self.assertGreater(len(listed), 3)
        for row, impact in zip(shown, listed):
            self.assertEqual([row["time"], row["work"], row["T_minus"], row["T_plus"]],
                             [impact["time"], impact["work"], impact["kinetic_before"], impact["kinetic_after"]])
        cells = self.js("[...document.querySelectorAll('#impacts table')[0].tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent))")
        for cell, impact in zip(cells, listed):
            self.assertEqual(cell[-2], f"{impact['work']:+.4f}".replace("-", "−"))
            self.assertIn("creates energy" if not impact["consistency"]["energetic"] else "consistent", cell[-1])

    def test_energy_is_that_of_the_file(self):
        self.open(self.page)
        names = ["time", "kinetic", "potential", "total", "work_impacts", "work_contact", "work_applied", "drift"]
        of_file = columns(self.file, "time," + ",".join("energy/" + n for n in names[1:]))
        rows = {row[0]: row for row in zip(*of_file)}
        on_page = self.js(f"{json.dumps(names)}.map(n => Array.from(carom.column(carom.data.runs[0].energy[n])))")
        self.assertEqual(len(on_page[0]), len(rows))
        for row in zip(*on_page):
            self.assertEqual(row, rows[row[0]])
        ends = self.js("[...document.querySelector('#summary tbody tr').cells].map(c => c.textContent)")
        self.assertEqual(ends[4].replace("−", "-"), f"{of_file[3][-1]:.2f}")

    def test_every_law_answers_as_carom_impact_does(self):
        self.open(self.page)
        answers = {r["law"]: r for r in json.loads(carom("impact", scene("kane"), "--law", "all", "--json"))["results"]}
        detail = self.js("carom.data.runs[0].impacts.details.find(d => d.impact === 0)")
        resolved = [a for a in detail["laws"] if "elements" in a]
        self.assertEqual({a["law"] for a in resolved}, set(answers))
        for answer in resolved:
            expected = answers[answer["law"]]
            self.assertAlmostEqual(answer["work"], expected["work"], delta=1e-9)
            for a, b in zip(answer["elements"][0]["Lambda"], expected["elements"][0]["impulse"]):
                self.assertAlmostEqual(a, b, delta=1e-9)
        refused = [a for a in detail["laws"] if "elements" not in a]
        self.assertEqual([a["law"] for a in refused], ["compliant"])
        self.assertIn("friction, which compliant does not model", self.js("document.querySelector('.refusals').textContent"))

    def test_routh_paths_turn_on_the_line_of_sticking(self):
        self.open(self.page)
        detail = self.js("carom.data.runs[0].impacts.details.find(d => d.impact === 0)")
        (_, (G_TN, G_TT)), (_, v_T) = detail["G"], detail["gamma_minus"]
        mu = detail["elements"][0]["friction"][0]
        for law in ["stronge", "poisson-routh", "newton-routh"]:
            answer = next(a for a in detail["laws"] if a["law"] == law)
            path = self.js(f"carom.routh.pathOf({json.dumps(detail)}, {json.dumps(answer)})")
            self.assertEqual(len(path), 3, law)
            corner = path[1]
            self.assertAlmostEqual(abs(corner[0]), mu * corner[1], delta=1e-12)
            self.assertAlmostEqual(G_TT * corner[0] + G_TN * corner[1] + v_T, 0, delta=1e-12)
            self.assertEqual(path[2], answer["elements"][0]["Lambda"][::-1])

    def test_animation_moves(self):
        self.open(self.page)
        picture = "document.getElementById('screen').toDataURL()"
        first, start = self.js(picture), self.js("carom.clock.time")
        self.browser.click("#play")
        time.sleep(0.6)
        self.browser.click("#play")
        stopped = self.js("carom.clock.time")
        self.assertGreater(stopped, start)
        self.assertNotEqual(self.js(picture), first)
        time.sleep(0.2)
        self.assertEqual(self.js("carom.clock.time"), stopped, "it goes on after it was stopped")
        self.js("(() => { const s = document.getElementById('scrub'); s.value = 10000; s.dispatchEvent(new Event('input')); })()")
        self.assertAlmostEqual(self.js("carom.clock.time"), self.inspected["time"]["end"], delta=1e-9)

    def test_clicking_an_impact_opens_it(self):
        self.open(self.page)
        self.browser.click("#impacts tbody tr:nth-child(4)")
        self.assertIn("Impact 3", self.js("document.querySelector('#impact h3').textContent"))
        self.assertEqual(self.js("document.querySelectorAll('#impact figure svg').length > 1"), True)
        self.assertAlmostEqual(self.js("carom.clock.time"), self.inspected["impacts"]["list"][3]["time"], delta=1e-9)
        self.js("document.querySelector('#impacts tbody tr:nth-child(6)').focus()")
        for kind in ["keyDown", "keyUp"]:
            self.browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13)
        self.assertIn("Impact 5", self.js("document.querySelector('#impact h3').textContent"))

    def test_figures_save_as_svg(self):
        self.open(self.page)
        for figure in ["#impact .figure", "#energy .figure", "#motion .figure", "#contacts .figure"]:
            self.js(f"document.querySelector('{figure} button[title^=Save]').dispatchEvent(new MouseEvent('click'))")
            self.browser.settle()
            text = self.js("window.saved")
            root = xml.etree.ElementTree.fromstring(text.encode())
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertGreater(len(list(root.iter("{http://www.w3.org/2000/svg}path"))), 0, figure)
            for wrong in ["var(", "NaN", "undefined", "Infinity"]:
                self.assertNotIn(wrong, text, figure)
            self.assertTrue(self.js("window.savedName").endswith(".svg"))

    def test_tables_and_figures_for_papers(self):
        self.open(self.page)
        self.js("window.copied = ''; navigator.clipboard ? (navigator.clipboard.writeText = (t) => { window.copied = t; return Promise.resolve(); }) : 0; document.execCommand = () => { window.copied = document.activeElement.value; return true; }")
        self.js("document.querySelector('#impacts button[title$=LaTeX]').click()")
        self.browser.settle()
        text = self.js("window.copied")
        self.assertTrue(text.startswith("\\begin{tabular}{"), text[:80])
        self.assertIn("$\\gamma_{N}^-$", text)
        self.assertEqual(len(text.splitlines()) - 6, len(self.inspected["impacts"]["list"]))
        self.assertRegex(self.js("carom.figures.asPng(document.querySelector('#energy .figure').svgText()).then(url => url.slice(0, 22))"), "^data:image/png;base64,")

    def test_the_view_is_in_the_link(self):
        self.open(self.page)
        before = self.js("document.getElementById('screen').toDataURL()")
        self.js("document.querySelector('.tools button').click(); carom.clock.set(0.25); carom.link.keep()")
        time.sleep(0.5)
        link, picture = self.js("location.hash"), self.js("document.getElementById('screen').toDataURL()")
        self.assertIn("zoom=1.25", link)
        self.assertNotEqual(picture, before)
        self.browser.call("Page.navigate", url="about:blank")
        self.open(self.page + link)
        self.assertEqual(self.js("carom.clock.time"), 0.25)
        self.assertEqual(self.js("document.getElementById('screen').toDataURL()"), picture)

    def test_tables_copy_as_csv(self):
        self.open(self.page)
        self.browser.click("#impacts .table-figure button[title*=CSV]")
        rows = list(csv.DictReader(io.StringIO(self.js("window.copied"))))
        listed = self.inspected["impacts"]["list"]
        self.assertEqual([float(r["work (J)"]) for r in rows], [i["work"] for i in listed])
        self.assertEqual([float(r["normal velocity before"]) for r in rows], [i["elements"][0]["velocity_before"][0] for i in listed])

    def test_words_of_rouths_diagram_do_not_overlap(self):
        page = reported(simulated("kane-rods", "--law", "newton", "--set", "contacts.tip.friction=0.2", out="kane-rods"))
        for width in [1200, 400]:
            self.browser.size(width, 900)
            self.open(page)
            words = self.js("""(() => { const svg = document.querySelector('#impact svg'), frame = svg.querySelector('clipPath rect').getBBox();
              return [...svg.querySelectorAll('.words')].map(t => { const b = t.getBBox(), m = t.transform.baseVal.consolidate().matrix;
                return [[b.x, b.y + 2], [b.x + b.width, b.y + 2], [b.x + b.width, b.y + b.height - 2], [b.x, b.y + b.height - 2]].map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]); })
                .concat([[frame.x, frame.y, frame.x + frame.width, frame.y + frame.height]]); })()""")
            *words, (left, top, right, bottom) = words
            self.assertEqual(len(words), 2)
            self.assertTrue(separated(*words), words)
            for x, y in sum(words, []):
                self.assertTrue(left - 3 <= x <= right + 3 and top - 3 <= y <= bottom + 3, (x, y))

    def test_impulses_of_impacts_are_drawn(self):
        self.open(self.page)
        largest = max(i["elements"][0]["impulse"][0] for i in self.inspected["impacts"]["list"])
        sampled = max(columns(self.file, "contacts/tip/impulse")[0])
        self.assertLess(sampled, 0.4 * largest, "every impact is sampled: the scene does not test this")
        shown = self.js("(c => [Array.from(carom.column(c.impacts.time)), Array.from(carom.column(c.impacts.impulse))])(carom.data.runs[0].contacts.list[0])")
        self.assertEqual(shown[0], [i["time"] for i in self.inspected["impacts"]["list"]])
        self.assertEqual(shown[1], [x for i in self.inspected["impacts"]["list"] for x in i["elements"][0]["impulse"]])
        heads, axis = self.js("""(() => { const figure = [...document.querySelectorAll('#contacts figure')].find(f => f.querySelector('h3').textContent === 'Impulses');
          return [[...figure.querySelectorAll('path.events')].map(p => p.getAttribute('d').split('M').length - 1), Math.max(...[...figure.querySelectorAll('.axes text')].map(t => Number(t.textContent)).filter(Number.isFinite))]; })()""")
        self.assertEqual(heads, [len(shown[0])] * 2, "normal and tangential, a head each")
        self.assertGreater(axis, 0.5 * largest)

    def test_no_table_is_wider_than_its_card(self):
        tables = "[...document.querySelectorAll('.table-figure')]"
        for width, blocks in [(400, True), (1200, False)]:
            self.browser.size(width, 900)
            self.open(self.page)
            for table in self.js(f"{tables}.map(t => [t.querySelector('h3').textContent, t.querySelector('.scroll').scrollWidth - t.querySelector('.scroll').clientWidth, t.querySelector('.pane').classList.contains('blocks')])"):
                self.assertLessEqual(table[1], 1, table[0])
            self.assertEqual(self.js("document.querySelector('#summary .pane').classList.contains('blocks')"), blocks)

    def test_long_tables_say_so(self):
        self.browser.size(1200, 900)
        self.open(self.page)
        for title, cut in self.js("[...document.querySelectorAll('.table-figure')].map(t => [t.querySelector('h3').textContent, t.querySelector('.beyond').textContent])"):
            self.assertEqual(cut, "", title)

    def test_words_are_right(self):
        self.open(self.page)
        text = self.js("(() => { document.querySelectorAll('details').forEach(d => d.remove()); return document.body.innerText; })()")
        self.assertNotRegex(text, r"(?<![\w.])-\d", "a hyphen for a minus sign")
        self.assertNotRegex(text, r"\b1 (impact|contact|step|row|column|point|sample)s\b")
        self.assertIn("sustained contact", text)
        self.assertNotIn("by friction", text)

    def test_light_dark_and_the_switch(self):
        brightness = "getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) / 765"
        self.browser.scheme("dark")
        self.open(self.page)
        self.assertLess(self.js(brightness), 0.25)
        self.browser.click("#theme")
        self.assertGreater(self.js(brightness), 0.75)
        self.browser.scheme("light")
        self.open(self.page)
        self.assertGreater(self.js(brightness), 0.75)

    def test_prints(self):
        self.open(self.page)
        self.assertGreater(len(self.browser.call("Page.printToPDF")["data"]), 20000)
        self.browser.size(718, 1000)  # A4 between margins
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.browser.settle()
        widths = self.js("[...document.querySelectorAll('table')].map(t => [t.offsetWidth, t.closest('.pane').clientWidth])")
        self.browser.call("Emulation.setEmulatedMedia", media="")
        self.assertGreater(len(widths), 2)
        for table, paper in widths:
            self.assertLessEqual(table, paper, "a table is cut on paper")

    def test_phone(self):
        self.open(self.page)
        self.assert_no_overflow(360, "kane")
        self.assertGreater(self.js("document.getElementById('screen').clientWidth"), 280)


class LongRun(Page):
    def test_thinned_curves_keep_their_extremes(self):
        file = simulated("bouncing-ball", "--set", "output.every=1", "--set", "integrator.step=1e-4")
        self.open(reported(file))
        total, kinetic = columns(file, "energy/total,energy/kinetic")
        self.assertGreater(len(total), 8000)
        for name, values in [("total", total), ("kinetic", kinetic)]:
            low, high, count = self.js(f"(c => [Math.min(...c), Math.max(...c), c.length])(carom.column(carom.data.runs[0].energy.{name}))")
            self.assertEqual([low, high], [min(values), max(values)])
            self.assertLess(count, 0.6 * len(values))
        self.assertIn("points of", self.js("document.querySelector('#energy figcaption').textContent"))


class TwoContacts(Page):
    def test_laws_land_where_their_energy_says(self):
        self.open(reported(simulated("cradle-3")))
        self.assertIn("kinetic metric", self.js("document.querySelector('#impact figure h3').textContent"))
        # ½|z|² of the plane is the energy that the impact can change: differences are the work of each law.
        works = self.js("""(() => {
          const d = carom.data.runs[0].impacts.details[0], {G, gamma} = carom.velocityPlane.reduced(d);
          const square = ([a, b]) => (G[1][1] * a * a - 2 * G[0][1] * a * b + G[0][0] * b * b) / (G[0][0] * G[1][1] - G[0][1] ** 2);
          return d.laws.filter(a => a.elements).map(a => [a.law, a.work, (square(a.elements.map(e => e.gamma_plus[0])) - square(gamma)) / 2]);
        })()""")
        self.assertGreater(len(works), 5)
        for law, work, of_plane in works:
            self.assertAlmostEqual(work, of_plane, delta=1e-11, msg=law)


class TwoRoughContacts(Page):
    def detail(self, name, *options):
        self.open(reported(simulated(name, *options)))
        return self.js("carom.data.runs[0].impacts.details.find(d => d.laws && d.elements.length === 2)")

    def plane(self, detail, expression):
        return self.js(f"((d, p) => ({expression}))({json.dumps(detail)}, carom.velocityPlane.planeOf({json.dumps(detail)}))")

    def test_consistent_laws_land_in_the_set(self):
        detail = self.detail("rocking-block")
        self.assertTrue(all(e["friction"][0] > 0 for e in detail["elements"]))
        self.assertIn("kinetic metric", self.js("document.querySelector('#impact figure h3').textContent"))
        self.assertIn("projections", self.js("document.querySelector('#impact figcaption').textContent"))
        self.assertTrue(self.js("!!document.querySelector('#impact .admissible') && !!document.querySelector('#impact .section')"))
        plane = self.plane(detail, "{z: p.z_minus, radius: p.radius, edges: p.edges, ends: p.ends, R: p.R, answers: p.answers}")
        (a, b), z = plane["edges"], plane["z"]
        self.assertGreater(a[0] * b[1] - a[1] * b[0], 0, "the second edge is left of the first")
        landed = 0
        for answer, end in zip(plane["answers"], plane["ends"]):
            if not all(answer[verdict] for verdict in ("kinematic", "kinetic", "energetic")):
                continue
            jump = [end[0] - z[0], end[1] - z[1]]
            self.assertGreaterEqual(a[0] * jump[1] - a[1] * jump[0], -1e-9, answer["law"])
            self.assertGreaterEqual(jump[0] * b[1] - jump[1] * b[0], -1e-9, answer["law"])
            self.assertLessEqual(math.hypot(*end), plane["radius"] * (1 + 1e-9), answer["law"])
            for k in range(2):
                self.assertGreaterEqual(plane["R"][0][k] * end[0] + plane["R"][1][k] * end[1], -1e-9, answer["law"])
            landed += 1
        self.assertGreaterEqual(landed, 4)

    def test_the_ball_holds_the_energy_that_impulses_change(self):
        detail = self.detail("rocking-block")
        before = self.plane(detail, "p.radius ** 2")
        for answer in detail["laws"]:
            if "elements" not in answer:
                continue
            after = {**detail, "gamma_minus": [v for e in answer["elements"] for v in e["gamma_plus"]]}
            self.assertAlmostEqual((self.plane(after, "p.radius ** 2") - before) / 2, answer["work"], delta=1e-9, msg=answer["law"])


class Spatial(Page):
    def test_the_view_turns(self):
        self.open(reported(simulated("symmetric-top", "--duration", "0.2")))
        picture = "document.getElementById('screen').toDataURL()"
        before = self.js(picture)
        x, y = self.js("(() => { const c = document.getElementById('screen'); c.scrollIntoView({block: 'center'}); const r = c.getBoundingClientRect(); return [r.left + 200, r.top + 150]; })()")
        for kind, dx in [("mousePressed", 0), ("mouseMoved", 60), ("mouseReleased", 60)]:
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=x + dx, y=y, button="left", buttons=1, clickCount=1)
        self.browser.settle()
        self.assertNotEqual(self.js(picture), before)


class Pictures(Page):
    def test_a_picture_and_a_film_are_drawn(self):
        run, picture, film = simulated("tumbling-box", "--duration", "0.3"), os.path.join(FOLDER, "one.png"), os.path.join(FOLDER, "film.gif")
        carom("export", run, "--picture", "--at", "0.1", "--size", "320x200", "-o", picture)
        with open(picture, "rb") as file:
            head = file.read(24)
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")), (320, 200))
        if shutil.which("ffmpeg"):
            carom("export", run, "--film", "--seconds", "0.4", "--size", "160x100", "-o", film)
            with open(film, "rb") as file:
                self.assertEqual(file.read(6), b"GIF89a")


class Scenes(Page):
    def test_every_scene_is_drawn(self):
        for path in sorted(glob.glob(os.path.join(SOURCE, "config", "scenes", "*.yaml"))):
            name = os.path.basename(path)[:-5]
            with self.subTest(scene=name):
                self.open(reported(simulated(name, "--duration", "0.02", out="scene-" + name)))
                bodies, drawn = self.js("(d => [d.bodies.length, new Set(d.shapes.map(s => s.body).filter(b => b >= 0)).size])(carom.data.drawing)")
                self.assertEqual(drawn, bodies, "a body has no shape")
                colours = self.js("""(() => { const c = document.getElementById('screen'), p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                  const seen = new Set(); for (let i = 0; i < p.length; i += 4) if (p[i + 3]) seen.add(p[i] << 16 | p[i + 1] << 8 | p[i + 2]); return seen.size; })()""")
                self.assertGreater(colours, 2, "nothing is drawn")
                self.assert_no_overflow(360, name)


@unittest.skipUnless(h5py, "h5py is not installed")
class Sweep(Page):
    @classmethod
    def setUpClass(cls):
        cls.file = os.path.join(FOLDER, "sweep.h5")
        cls.x, cls.y, cls.laws = [i / 99 for i in range(100)], [0.01 * 10 ** (2 * j / 99) for j in range(100)], ["newton", "poisson"]
        cls.work = lambda law, x, y: (x - y) * (1 if law == "newton" else -x - 0.1)
        with h5py.File(cls.file, "w") as f:
            f.attrs.update({"format": "carom-sweep", "format_version": 1, "mode": "grid", "axes": ["law.type", "restitution", "friction"],
                            "measures": ["work"], "sweep": "made up", "about": "", "status": "complete", "carom_version": "0"})
            f["axes/law.type"], f["axes/restitution"], f["axes/friction"] = cls.laws, cls.x, cls.y
            f["measures/work"] = [[[cls.work(law, x, y) for y in cls.y] for x in cls.x] for law in cls.laws]
            f["measures/work"].attrs.update({"units": "J", "meaning": ""})
            f["done"], f["status"] = (f["measures/work"][:] < float("inf")).astype("u1"), 0 * f["measures/work"][:].astype("u1")
            f["scene_yaml"], f["sweep_yaml"] = "scene: x", "sweep: y"
        cls.page = reported(cls.file)

    def test_map_and_slices(self):
        self.open(self.page)
        self.assertEqual(self.js("document.querySelectorAll('#map image').length"), 2, "one map a law")
        rows = list(csv.DictReader(io.StringIO(self.js("carom.wholeCsv()"))))
        self.assertEqual(len(rows), 20000)
        for row in rows[::977]:
            self.assertEqual(float(row["work"]), type(self).work(row["law.type"], float(row["restitution"]), float(row["friction"])))
        # The zero line of the first map: newton's work vanishes where x = y, on a logarithmic axis of y.
        points = self.js("""(() => { const zero = document.querySelector('#map .zero'), box = zero.parentNode.querySelector('image');
          const at = name => Number(box.getAttribute(name));
          return zero.getAttribute('d').match(/[ML][^ML]+/g).map(t => t.slice(1).split(',').map(Number)).map(([x, y]) => [(x - at('x')) / at('width'), (y - at('y')) / at('height')]); })()""")
        self.assertGreater(len(points), 50)
        for x, y in points:
            # Cells reach half a step beyond the first and the last value.
            restitution = (x * 100 - 0.5) / 99
            friction = 10 ** (-2 + 2 * ((1 - y) * 100 - 0.5) / 99)
            self.assertAlmostEqual(restitution, friction, delta=0.012)

    def test_click_chooses_the_slices(self):
        self.open(self.page)
        before = self.js("document.querySelector('#map .slice-table tbody').textContent")
        self.js("""(() => { const r = document.querySelector('#map rect[cursor=crosshair]'), b = r.getBoundingClientRect();
          r.dispatchEvent(new MouseEvent('click', {clientX: b.left + 0.2 * b.width, clientY: b.top + 0.9 * b.height, bubbles: true})); })()""")
        self.assertNotEqual(self.js("document.querySelector('#map .slice-table tbody').textContent"), before)
        self.assert_no_overflow(360, "the map")


@unittest.skipUnless(h5py, "h5py is not installed")
class Comparison(Page):
    def test_the_page_names_the_scene_where_no_file_stays(self):
        page = os.path.join(FOLDER, "unkept.html")
        carom("compare", scene("kane"), "--laws", "newton,poisson", "--duration", "0.01", "--report", page, "--force", "--quiet")
        self.open(page)
        self.assertIn("from kane.yaml.", self.js("document.querySelector('footer').textContent"))

    def test_laws_are_overlaid(self):
        laws = ["newton", "poisson", "stronge"]
        path = os.path.join(FOLDER, "compare.h5")
        with h5py.File(path, "w") as f:
            f.attrs.update({"format": "carom-compare", "format_version": 1, "scene": "kane", "reference": "poisson", "match": "restitution"})
            impact = json.loads(carom("impact", scene("kane"), "--law", ",".join(laws), "--json"))
            f["impact_json"] = json.dumps({**impact, "time": 0})
            for law in laws:
                with h5py.File(simulated("kane", "--law", law, "--duration", "0.3", out="kane-" + law)) as run:
                    group = f.create_group("laws/" + law)
                    group.attrs.update(run.attrs)
                    for name in run:
                        run.copy(name, group)
        self.open(reported(path))
        self.assertEqual(self.js("carom.data.runs.map(r => r.law)"), laws)
        self.assertIn("same restitution for every law", self.js("document.querySelector('.facts').textContent"))
        self.assertIn("Routh", self.js("document.querySelector('#first-impact h3').textContent"))
        # Shares of energy stand right of the line of the energy before, whatever the bars.
        line, shares = self.js("""(() => { const svg = [...document.querySelectorAll('#first-impact svg')].find(s => s.querySelector('.share'));
          return [Number(svg.querySelector('line[stroke-width="1.4"]').getAttribute('x1')), [...svg.querySelectorAll('.share')].map(t => t.getBBox().x)]; })()""")
        self.assertGreater(min(shares), line)
        cells = self.js("[...document.querySelectorAll('#first-impact tbody tr')].map(r => r.textContent)")
        self.assertEqual(len(cells), 3)
        self.assertIn("+0.1634", cells[0])
        self.assertEqual(self.js("document.querySelectorAll('.law-choice button[aria-pressed]').length"), 3)
        self.assertEqual(self.js("document.querySelectorAll('.law-choice button[aria-pressed=true]').length"), 2, "two laws at first")
        picture = "document.getElementById('screen').toDataURL()"
        self.js("carom.clock.set(0.25)")
        before = self.js(picture)
        self.browser.click(".law-choice button[aria-pressed=true]")
        self.assertNotEqual(self.js(picture), before, "a law that is switched off is still drawn")
        self.browser.click("#impacts tbody tr:last-child")
        self.assertIn("stronge", self.js("document.querySelector('#impact h3').textContent"))


def main():
    global CAROM, SOURCE, BROWSER, FOLDER
    CAROM, SOURCE = map(os.path.abspath, sys.argv[1:3])
    program = find_browser()
    if program is None:
        print("no Chromium: the report is not tested in a browser")
        return 77
    with tempfile.TemporaryDirectory(prefix="carom-report-") as FOLDER, Browser(program) as BROWSER:
        result = unittest.main(argv=[sys.argv[0], *sys.argv[3:]], exit=False).result
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())

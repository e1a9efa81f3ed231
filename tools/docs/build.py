"""The manual as a static site, from what the program knows of itself and from pages/.

Usage: build.py CAROM SOURCE SITE [--quick]   (--quick: scenes run for a moment only)"""

import html
import json
import os
import re
import shutil
import subprocess
import sys

import markdown

PAGES = [("index", "First steps"), ("tutorial", "Tutorial"), ("commands", "Commands"), ("keys", "Keys of a scene"), ("laws", "Laws"),
         ("models", "Models"), ("solvers", "Solvers"), ("certificates", "Certificates"), ("files", "Files"), ("gallery", "Gallery"),
         ("figures", "Figures"), ("contribute", "Cite and contribute")]
HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM, SOURCE, SITE = map(os.path.abspath, sys.argv[1:4])
QUICK = "--quick" in sys.argv


def carom(*arguments, may_fail=False):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=SITE)
    if done.returncode != 0 and not may_fail:
        sys.exit(f"carom {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def told(*arguments):
    return json.loads(carom(*arguments, "--json"))


def text_of(*path):
    with open(os.path.join(SOURCE, *path)) as file:
        return file.read()


def table(head, rows):
    row = lambda tag, values: "<tr>" + "".join(f"<{tag}>{v}</{tag}>" for v in values) + "</tr>"
    return f"<div class=\"wide\"><table><thead>{row('th', head)}</thead><tbody>{''.join(row('td', r) for r in rows)}</tbody></table></div>" if rows else ""


def parameters(rows):
    return table(["parameter", "default", "range", "meaning"], [[f"<code>{html.escape(p['name'])}</code>", *(html.escape(p.get(k, "")) for k in ("default", "range", "meaning"))] for p in rows])


def entry(name, statement, parts):
    return f'<h2 id="{name}"><code>{name}</code></h2><p>{html.escape(statement)}</p>' + "".join(parts)


def equation(text):
    return '<p class="equation">' + re.sub(r"_(\w)", r"<sub>\1</sub>", html.escape(text)) + "</p>"


def named(label, text):
    return f'<p><span class="soft">{label}:</span> {html.escape(text)}</p>' if text else ""


def commands():
    names = re.findall(r"^  ([a-z]+) ", carom("help").split("Subcommands:")[1], re.M)
    return "<h1>Commands</h1><p>Results go to stdout, everything else to stderr.</p>" + "".join(
        f'<h2 id="{name}"><code>carom {name}</code></h2><pre><code>{html.escape(carom(name, "--help"))}</code></pre>' for name in names)


def keys():
    def key_rows(part):
        return [[f"<code>{html.escape(k['name'])}</code>", html.escape(f"{k['value']} {k['unit']}".strip()), *(html.escape(str(k.get(f) or "—")) for f in ("default", "meaning"))] for k in part["keys"]]
    parts, seen, waiting = [], set(), [""]
    while waiting:
        path = waiting.pop(0)
        shown = told("keys", *([path] if path else []))
        for part in shown if isinstance(shown, list) else [shown]:
            if part["name"] in seen:
                continue
            seen.add(part["name"])
            parts.append(f'<h2 id="{part["name"]}">{html.escape(part["name"])}</h2><p>{html.escape(part["meaning"])}</p>' + table(["key", "value", "default", "meaning"], key_rows(part))
                         + (f"<pre><code>{html.escape(part['example'])}</code></pre>" if part.get("example") else ""))
            if not path:
                waiting += [k["name"] for k in part["keys"] if re.search(r"\{[a-z]", str(k.get("value")))]
    return "<h1>Keys of a scene</h1>" + "".join(parts)


def laws():
    return "<h1>Laws</h1>" + "".join(entry(law["name"], law["statement"], [equation(law["equation"]), named("source", law["source"]), named("for", law["domain"]),
                                                                            named("known failures", law["known_failures"]), parameters(law["parameters"])]) for law in told("laws"))


def models():
    return "<h1>Models</h1><p>Closed-form systems in minimal coordinates; <code>model: {type: NAME}</code> in a scene.</p>" + "".join(
        entry(m["name"], m["statement"], [named("coordinates", m["coordinates"]), named("source", m["source"]), parameters(m["parameters"])]) for m in told("models"))


def solvers():
    ladder = lambda s: table(["rung", "purpose", "suits"], [[html.escape(r[k]) for k in ("solver", "purpose", "suits")] for r in s.get("ladder", [])])
    return "<h1>Solvers</h1>" + "".join(entry(s["name"], s["statement"], [named("method", s["method"]), named("source", s["source"]), named("for", s["domain"]), named("known failures", s["known_failures"]), ladder(s)])
                                        for s in told("solvers"))


def files():
    text = text_of("tools", "run_file", "README.md")
    return "<h1>Files</h1>" + markdown.convert(text[text.index("## A run, format"):])


def gallery():
    about = {}
    for line in text_of("config", "scenes", "README.md").splitlines():
        if line.startswith("| `"):
            names, what = markdown.cells(line)[:2]
            about.update({name: what for name in re.findall(r"`([a-z0-9-]+)`", names)})
    os.makedirs(os.path.join(SITE, "scenes"), exist_ok=True)
    cards = []
    for file in sorted(os.listdir(os.path.join(SOURCE, "config", "scenes"))):
        name, ending = os.path.splitext(file)
        if ending != ".yaml":
            continue
        run = os.path.join(SITE, "scenes", name + ".h5")
        carom("simulate", os.path.join(SOURCE, "config", "scenes", file), "-o", run, "--force", "-q", *(["--duration", "0.02"] if QUICK else []), may_fail=True)
        if not os.path.exists(run):
            continue
        carom("report", run, "-o", f"scenes/{name}.html", "--force")
        picture = ""
        if not QUICK and shutil.which("chromium"):
            carom("export", run, "--picture", "--at", "0", "--size", "480x300", "-o", f"scenes/{name}.png", "--force", may_fail=True)
        if os.path.exists(os.path.join(SITE, "scenes", name + ".png")):
            picture = f'<img src="scenes/{name}.png" alt="" width="480" height="300" loading="lazy">'
        os.remove(run)
        cards.append(f'<a href="scenes/{name}.html">{picture}<strong>{name}</strong><br><span class="soft">{markdown.inline(about.get(name, ""))}</span></a>')
    return f'<h1>Gallery</h1><p>Every shipped scene, in motion, with its energy and impacts.</p><div class="gallery">{"".join(cards)}</div>'


def figures():
    carom("figures", "-o", "paper-figures", *(["glocker-2014"] if QUICK else []))
    drawn = sorted(f for f in os.listdir(os.path.join(SITE, "paper-figures")) if f.endswith(".svg"))
    return "<h1>Figures</h1><p>The figures of the papers, from our own results.</p>" + "".join(f'<h2>{f[:-4]}</h2><img src="paper-figures/{f}" alt="{f[:-4]}">' for f in drawn)


def written(name):
    with open(os.path.join(HERE, "pages", name + ".md")) as file:
        page = markdown.convert(file.read())
    with open(os.path.join(HERE, "CITATION.cff")) as file:
        return page.replace("<p>&lt;!--citation--&gt;</p>", f"<pre><code>{html.escape(file.read())}</code></pre>")


def page_of(name, title, body):
    links = "".join(f'<a href="{other}.html"{" aria-current=page" if other == name else ""}>{label}</a>' for other, label in PAGES)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · carom</title><link rel="stylesheet" href="site.css"></head>
<body><div class="page"><nav><div class="name">Carom</div>{links}</nav><main>{body}</main></div></body></html>
"""


def main():
    os.makedirs(SITE, exist_ok=True)
    shutil.copy(os.path.join(HERE, "site.css"), SITE)
    for name, title in PAGES:
        body = globals()[name]() if name in globals() and callable(globals()[name]) else written(name)
        with open(os.path.join(SITE, name + ".html"), "w") as file:
            file.write(page_of(name, title, body))
    print(os.path.join(SITE, "index.html"))


if __name__ == "__main__":
    main()

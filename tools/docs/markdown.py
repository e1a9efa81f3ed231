"""The part of Markdown that the project's texts use, as HTML: headings, paragraphs, lists, tables, code, pictures."""

import html
import re


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def inline(text):
    kept = []

    def keep(match):
        kept.append(f"<code>{html.escape(match[1])}</code>")
        return f"\0{len(kept) - 1}\0"
    text = html.escape(re.sub(r"`([^`]+)`", keep, text), quote=False)
    text = re.sub(r"!\[([^\]]*)\]\(([^)]+)\)", r'<img src="\2" alt="\1">', text)
    text = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    return re.sub("\0(\\d+)\0", lambda m: kept[int(m[1])], text)


def cells(line):
    return [cell.strip().replace("\1", "|") for cell in line.replace("\\|", "\1").strip().strip("|").split("|")]


def table(lines):
    head, rows = cells(lines[0]), [cells(line) for line in lines[2:]]
    row = lambda tag, values: "<tr>" + "".join(f"<{tag}>{inline(v)}</{tag}>" for v in values) + "</tr>"
    return f"<div class=\"wide\"><table><thead>{row('th', head)}</thead><tbody>{''.join(row('td', r) for r in rows)}</tbody></table></div>"


def convert(text):
    lines, out, i = text.splitlines(), [], 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("```"):
            end = next((k for k in range(i + 1, len(lines)) if lines[k].startswith("```")), len(lines))
            out.append(f"<pre class=\"{line[3:].strip() or 'text'}\"><code>{html.escape(chr(10).join(lines[i + 1:end]))}</code></pre>")
            i = end + 1
        elif found := re.match(r"(#+) (.*)", line):
            level = len(found[1])
            out.append(f'<h{level} id="{slug(found[2])}">{inline(found[2])}</h{level}>')
            i += 1
        elif line.startswith("|"):
            end = next((k for k in range(i, len(lines)) if not lines[k].startswith("|")), len(lines))
            out.append(table(lines[i:end]))
            i = end
        elif re.match(r"(- |\d+\. )", line):
            tag, items = ("ul", []) if line.startswith("- ") else ("ol", [])
            while i < len(lines) and lines[i].strip():
                if found := re.match(r"(?:- |\d+\. )(.*)", lines[i]):
                    items.append(found[1])
                else:
                    items[-1] += " " + lines[i].strip()
                i += 1
            out.append(f"<{tag}>" + "".join(f"<li>{inline(item)}</li>" for item in items) + f"</{tag}>")
        elif not line.strip():
            i += 1
        else:
            end = next((k for k in range(i, len(lines)) if not lines[k].strip() or re.match(r"```|#|\|", lines[k])), len(lines))
            out.append(f"<p>{inline(' '.join(lines[i:end]))}</p>")
            i = max(end, i + 1)
    return "\n".join(out)

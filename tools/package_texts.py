"""Man pages and completions, from what the program says of itself.

Usage: package_texts.py CAROM FOLDER   writes FOLDER/man1/*.1, FOLDER/bash, FOLDER/zsh and FOLDER/fish"""

import os
import re
import subprocess
import sys


def said(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"}).stdout


def entries(text, heading):
    """Rows `names   meaning` under a heading; what follows without names goes on with the row before."""
    rows, inside = [], False
    for line in text.splitlines():
        if re.match(r"\S.*:$", line):
            inside = line == heading
        elif not line.strip():
            inside = inside and not rows
        elif inside and (found := re.match(r"  (\S.*?)(?:  +|$)(.*)", line)) and not line.startswith("   "):
            rows.append([found[1], found[2]])
        elif inside and rows:
            rows[-1][1] = (rows[-1][1] + " " + line.strip()).strip()
    return rows


class Command:
    def __init__(self, program, name, meaning):
        self.name, self.meaning = name, meaning
        self.text = said(program, *([name] if name else []), "--help")
        self.usage = re.search(r"Usage: (.*)", self.text)[1]
        self.positionals, self.options = entries(self.text, "Positionals:"), entries(self.text, "Options:")
        self.about = self.text.splitlines()[0]

    def names(self):
        return [name for row in self.options for name in row[0].split()[0].split(",")]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text)


def man_page(command, commands, version):
    title = "carom" + (f"-{command.name}" if command.name else "")
    lines = [f'.TH {title.upper()} 1 "" "carom {version}" "Carom"', ".SH NAME",
             f"{roff(title)} \\- {roff(command.meaning)}", ".SH SYNOPSIS", f".B {roff(command.usage)}"]

    def listed(heading, rows):
        if rows:
            lines.extend([f".SH {heading}", *(part for name, meaning in rows for part in (".TP", f".B {roff(name)}", roff(meaning)))])
    listed("ARGUMENTS", command.positionals)
    listed("OPTIONS", command.options)
    if not command.name:
        listed("COMMANDS", [[c.name, c.meaning] for c in commands])
    lines += [".SH EXIT STATUS", roff("0 done, 1 failed in a run, 2 bad usage or input, 3 negative verdict, 130 interrupted."), ".SH SEE ALSO",
              ", ".join(f"carom{roff('-' + c.name)}(1)" for c in commands) if not command.name else "carom(1)"]
    return "\n".join(lines) + "\n"


def bash(commands):
    cases = "\n".join(f"    {c.name}) words='{' '.join(c.names())}' ;;" for c in commands)
    return f"""# Completion of carom in bash.
_carom() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{' '.join(c.name for c in commands)} help' -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
    help) words='{' '.join(c.name for c in commands)}' ;;
  esac
  if [[ $word == -* || ${{COMP_WORDS[1]}} == help ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _carom carom
"""


def quoted(text):
    return text.replace("\\", "\\\\").replace("'", "'\\''")


def zsh(commands):
    described = "\n".join(f"  '{c.name}:{quoted(c.meaning).replace(':', chr(92) + ':')}'" for c in commands)
    def option(names, meaning):
        meaning = quoted(meaning).replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
        takes = ":value:_files" if " TEXT" in names else ""
        return " ".join(f"'{name}[{meaning}]{takes}'" for name in names.split()[0].split(","))
    cases = "\n".join(f"    {c.name}) _arguments {' '.join(option(*row) for row in c.options)} '*:file:_files' ;;" for c in commands)
    return f"""#compdef carom
local -a commands
commands=(
{described}
)
if (( CURRENT == 2 )); then
  _describe command commands
else
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{cases}
    *) _files ;;
  esac
fi
"""


def fish(commands):
    lines = ["# Completion of carom in fish."]
    lines += [f"complete -c carom -n __fish_use_subcommand -f -a {c.name} -d '{quoted(c.meaning)}'" for c in commands]
    for c in commands:
        for names, meaning in c.options:
            flags = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in names.split()[0].split(","))
            lines.append(f"complete -c carom -n '__fish_seen_subcommand_from {c.name}' {flags}{' -r' if ' TEXT' in names else ''} -d '{quoted(meaning)}'")
    return "\n".join(lines) + "\n"


def main():
    program, folder = sys.argv[1:3]
    version = said(program, "--version").split()[1]
    root = Command(program, "", "impacts in rigid multibody systems, by any law")
    commands = [Command(program, name, meaning) for name, meaning in entries(root.text, "Subcommands:")]
    os.makedirs(os.path.join(folder, "man1"), exist_ok=True)
    for command in [root, *commands]:
        name = "carom" + (f"-{command.name}" if command.name else "")
        with open(os.path.join(folder, "man1", name + ".1"), "w") as file:
            file.write(man_page(command, commands, version))
    for name, text in [("bash", bash(commands)), ("zsh", zsh(commands)), ("fish", fish(commands))]:
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()

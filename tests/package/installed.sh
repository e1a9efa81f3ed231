# What somebody does first with the installed program. Usage: installed.sh PREFIX
set -eu
prefix=$1
PATH=$prefix/bin:$PATH
cd "$(mktemp -d)"
carom --version
carom new pendulum
carom simulate pendulum.yaml -q
carom inspect pendulum.h5 >/dev/null
carom report pendulum.h5 >/dev/null
carom impact "$prefix/share/carom/impacts/kane.yaml" --law newton,poisson >/dev/null
carom simulate "$prefix/share/carom/scenes/bouncing-ball.yaml" --duration 0.1 -q
gzip -t "$prefix/share/man/man1/carom.1.gz" "$prefix/share/man/man1/carom-simulate.1.gz"
grep -q -- '--resume' "$prefix/share/bash-completion/completions/carom"
grep -q 'simulate' "$prefix/share/zsh/vendor-completions/_carom" "$prefix/share/fish/vendor_completions.d/carom.fish"
if [ "$prefix" != /usr ]; then
  PYTHONPATH=$prefix/lib/python3/dist-packages
  export PYTHONPATH
fi
# Debian's own Python knows its packages, one that comes first in the path may not.
python=/usr/bin/python3
if "$python" -c 'import numpy' 2>/dev/null; then
  "$python" -c 'import carom; print(len(carom.Scene("pendulum.yaml").simulate(duration=0.1).time), "samples from Python")'
fi
echo installed and tried

"""carom: impacts in rigid multibody systems, by any law.

    scene = carom.Scene("config/scenes/kane.yaml")
    run = scene.simulate(law="newton", duration=2)
    run.q, run.time, run.energy.total, run.impacts
"""

from . import _carom
from ._carom import Error, FileError, InputError, RunFailed, __version__
from ._impact import ImpactResult, impact
from ._law import Problem, Refused, laws, load_plugin, register
from ._run import Group, Impacts, Parts, Run
from ._run import open_file as open  # noqa: A001 - a run file is opened as any other
from ._scene import Scene, SceneWarning
from ._stepper import Stepper
from ._studies import Sweep, check, compare, sweep

for _error in (Error, FileError, InputError, RunFailed):
    _error.__module__ = "carom"

for _file in _carom.plugins_of_environment():
    load_plugin(_file)

__all__ = [
    "Error",
    "FileError",
    "Group",
    "Impacts",
    "ImpactResult",
    "InputError",
    "Parts",
    "Problem",
    "Refused",
    "Run",
    "RunFailed",
    "Scene",
    "SceneWarning",
    "Stepper",
    "Sweep",
    "__version__",
    "check",
    "compare",
    "impact",
    "laws",
    "load_plugin",
    "open",
    "register",
    "sweep",
]

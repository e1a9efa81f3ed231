"""What pip asks to make a wheel of carom (PEP 517): CMake builds the module, this packs it. Needs nothing but Python.

A build folder that was configured for the same Python is used again, so that only what has changed is compiled:
CAROM_BUILD, or `build` beside the sources; else there is one of its own, `build-pip-...`.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")  # .cpython-311-x86_64-linux-gnu.so
NEEDS = "carom needs a C++20 compiler, CMake, Python's headers, pybind11, Eigen 3.4, spdlog, yaml-cpp, HDF5, CLI11, nlohmann-json and oneTBB; on Debian: tools/run python installs them"


def _run(*command: str) -> None:
    if subprocess.run(command).returncode != 0:
        sys.exit(f"'{' '.join(command)}' failed. {NEEDS}.")


def version() -> str:
    found = re.search(r"project\(carom VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert found
    return found.group(1)


def _tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


# ---- the build -----------------------------------------------------------------------------------------------------


def _builds_for_this_python(folder: Path) -> bool:
    cache = folder / "CMakeCache.txt"
    if not cache.exists():
        return False
    found = re.search(r"^PYTHON_MODULE_EXTENSION:INTERNAL=(.*)$", cache.read_text(encoding="utf-8"), re.MULTILINE)
    return found is not None and found.group(1) == SUFFIX


def _configure(folder: Path) -> None:
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
    if importlib.util.find_spec("pybind11"):  # pip has put it there
        import pybind11

        options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
    if shutil.which("ninja"):
        options += ["-G", "Ninja"]
    _run("cmake", "-S", str(SOURCE), "-B", str(folder), *options)


def _built() -> Path:
    """The folder of the package as CMake makes it."""
    asked = os.environ.get("CAROM_BUILD")
    folder = Path(asked) if asked else SOURCE / "build"
    if not _builds_for_this_python(folder):
        if asked:
            sys.exit(f"CAROM_BUILD: {asked} builds no module for this Python, {sys.executable}")
        folder = SOURCE / f"build-pip-{sysconfig.get_config_var('SOABI')}"
        _configure(folder)
    _run("cmake", "--build", str(folder), "--target", "python", "-j", str(os.cpu_count() or 1))
    package = folder / "python" / "carom"
    if not (package / f"_carom{SUFFIX}").exists():
        sys.exit(f"{folder} made no Python module. {NEEDS}.")
    return package


# ---- the wheel -----------------------------------------------------------------------------------------------------


def _metadata() -> str:
    return "\n".join(
        [
            "Metadata-Version: 2.1",
            "Name: carom",
            f"Version: {version()}",
            "Summary: Impacts in rigid multibody systems, by any law",
            "Requires-Python: >=3.9",
            "Requires-Dist: numpy",
            "Provides-Extra: frames",
            "Requires-Dist: xarray; extra == 'frames'",
            "Requires-Dist: pandas; extra == 'frames'",
            "Provides-Extra: figures",
            "Requires-Dist: matplotlib; extra == 'figures'",
            "",
        ]
    )


def _wheel_file() -> str:
    return f"Wheel-Version: 1.0\nGenerator: carom {version()}\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def _files_of(package: Path) -> list[tuple[str, bytes]]:
    names = sorted([*package.glob("*.py"), *package.glob("*.pyi"), package / "py.typed", package / f"_carom{SUFFIX}"])
    return [(f"carom/{path.name}", path.read_bytes()) for path in names]


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    about = f"carom-{version()}.dist-info"
    files = _files_of(_built())
    files += [
        (f"{about}/METADATA", _metadata().encode()),
        (f"{about}/WHEEL", _wheel_file().encode()),
        (f"{about}/licenses/LICENSE", (SOURCE / "LICENSE").read_bytes()),
    ]
    record = "".join(_record_line(*file) for file in files) + f"{about}/RECORD,,\n"
    name = f"carom-{version()}-{_tag()}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in [*files, (f"{about}/RECORD", record.encode())]:
            wheel.writestr(path, content)
    return name


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:
    """What an index can give, where the system has none."""
    needs = []
    if not shutil.which("cmake"):
        needs.append("cmake>=3.22")
    if not any(Path(prefix, "lib/cmake/pybind11").exists() or Path(prefix, "share/cmake/pybind11").exists() for prefix in ("/usr", "/usr/local")):
        needs.append("pybind11>=2.6")
    return needs


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    raise NotImplementedError("carom is built from a clone: pip install ./tools/python, or pip wheel ./tools/python")

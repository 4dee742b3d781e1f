"""Builds the wheel and the source archive (PEP 517) with the standard library alone."""

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
TEXT = (HERE / "pyproject.toml").read_text()
NAME, VERSION, ABOUT, PYTHON = (re.search(rf'^{key} = "(.+)"$', TEXT, re.M)[1] for key in ("name", "version", "description", "requires-python"))
FULL = f"{NAME.replace('-', '_')}-{VERSION}"
METADATA = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\nSummary: {ABOUT}\nLicense: MIT\nRequires-Python: {PYTHON}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, record = f"{FULL}-py3-none-any.whl", []
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in sorted((HERE / "secondlight").glob("*.py"))}
    files[f"{FULL}.dist-info/METADATA"] = METADATA.encode()
    files[f"{FULL}.dist-info/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: secondlight\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}\n")
        wheel.writestr(f"{FULL}.dist-info/RECORD", "".join(record) + f"{FULL}.dist-info/RECORD,,\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"{FULL}.tar.gz"
    with tarfile.open(Path(sdist_directory) / name, "w:gz") as archive:
        for path in ("pyproject.toml", "backend.py", "secondlight/__init__.py"):
            archive.add(HERE / path, f"{FULL}/{path}")
        about = tarfile.TarInfo(f"{FULL}/PKG-INFO")
        about.size = len(METADATA.encode())
        archive.addfile(about, io.BytesIO(METADATA.encode()))
    return name

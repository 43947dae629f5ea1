"""The client needs nothing but Python."""

import shutil
import subprocess
import sys

from tests.repository.checkout import ROOT


def test_a_copy_of_the_client_works_without_the_project_and_without_any_package(tmp_path):
    shutil.copytree(ROOT / "service/client", tmp_path / "my_client")
    code = f"import sys; sys.path = [{str(tmp_path)!r}, *sys.path]; from my_client import Hidalgo; Hidalgo('http://x')"
    subprocess.run([sys.executable, "-I", "-S", "-W", "error", "-c", code], check=True, cwd=tmp_path)


def test_importing_the_client_imports_no_other_part_of_the_project():
    code = "import sys, service.client; print(*sys.modules)"
    seen = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert not {"rules", "events", "flask", "service.api", "msgspec", "click"} & set(seen.split())

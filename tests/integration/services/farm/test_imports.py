import subprocess
import sys


def test_the_services_of_the_web_load_no_solver():
    code = "import tilework.core.assembly, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rtl_page.py CMAKE BUILD PAGE: docs/rtl-blocks.md, done as it says, from an installation.

Installs the build, writes the page's files (fenced blocks whose first line is a comment with a file's name)
and runs its commands (fenced blocks of sh) one after the other; what the page shows as output (text) is what
the commands before it say.  Exit code 77 where a tool is missing: after all of the page that does without."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    cmake, build, page = sys.argv[1:]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", Path(page).read_text(), re.MULTILINE | re.DOTALL)
    work = Path(tempfile.mkdtemp())
    missing = None
    try:
        prefix = work / "prefix"
        subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        environment = dict(os.environ, PATH=f"{prefix}/bin:{os.environ['PATH']}", CMAKE_PREFIX_PATH=str(prefix))
        home = work / "home"
        home.mkdir()
        for language, text in blocks:
            name = re.match(r"(?://|#) (\S+\.\w+)\n", text)
            if language not in ("sh", "text") and name:
                (home / name[1]).write_text(text)
        if not shutil.which("verilator"):
            missing = "verilator"
            blocks = []
        toolchain = subprocess.run([prefix / "share/gpgpu-vp/sdk/toolchain/build.sh", "--find"], capture_output=True)
        said, skipped = "", False
        for language, text in blocks:
            if language == "sh":
                skipped = toolchain.returncode != 0 and "gvp-new" in text
                if skipped:
                    missing = "the cross-compiler (firmware/toolchain/build.sh makes it)"
                    continue
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=home, env=environment, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                said = done.stdout
                if done.returncode != 0 or "warning:" in said:
                    sys.exit(f"failed ({done.returncode}):\n{text}\n{said}")
            elif language == "text" and not skipped and text not in said:
                sys.exit(f"the page shows\n{text}and the commands say\n{said}")
        if not missing and not (home / "gate.fst").stat().st_size:
            sys.exit("no waveforms")
    finally:
        shutil.rmtree(work)
    if missing:
        print(f"rtl_page: no {missing}, which a part of the page needs")
        sys.exit(77)


main()

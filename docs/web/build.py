"""csig's kernels in WebAssembly, for pages that load nothing.

``python docs/web/build.py csig.html`` writes a page with forms; ``python docs/web/build.py`` the
script with which the pages of audits recompute themselves, csig/audits/recompute.js, as setup.py
does.

The kernels of csig_ext/src are compiled with clang, wasm-ld, wasi-libc and the compiler's runtime
for it (Debian: clang, lld, wasi-libc, libclang-rt-dev-wasm32). Where one is missing, one line says
so.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNELS = HERE.parents[1] / "csig_ext" / "src"
SCHEMAS = HERE.parents[1] / "csig" / "audits" / "schemas"
MADE = HERE.parents[1] / "csig" / "audits" / "recompute.js"
SCRIPTS = ("kernels.js", "checks.js", "record.js")
SOURCES = ("binomial", "generators", "linfrac", "shuffle", "staircase")

#: Doubles as csig's own build has them: nothing contracted.
FLAGS = ["--target=wasm32-wasi", "-O2", "-std=c11", "-ffp-contract=off", "-Wall", "-Wextra"]
LINKED = [f"-Wl,{flag}" for flag in ("--no-entry", "--gc-sections", "--strip-all")]


def missing() -> str:
    """What cannot be found of what compiles, or ""."""
    for name in ("clang", "wasm-ld"):
        if shutil.which(name) is None:
            return f"{name} is not here"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.c")
        program.write_text("#include <math.h>\ndouble f(double x) { return log(x); }\n", "utf-8")
        made = subprocess.run(
            ["clang", *FLAGS, *LINKED, "-nostartfiles", program, "-o", f"{program}.wasm", "-lm"],
            capture_output=True,
            check=False,
        )
    return "" if made.returncode == 0 else "wasi-libc or clang's runtime for wasm32 is not here"


def compiled() -> bytes:
    """The kernels in WebAssembly."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "web.wasm")
        sources = [HERE / "web.c", *(KERNELS / f"{name}.c" for name in SOURCES)]
        command = ["clang", *FLAGS, *LINKED, f"-I{KERNELS}", "-nostartfiles", *sources, "-lm"]
        subprocess.run([*command, "-o", made], check=True)
        return made.read_bytes()


def source(*more: str) -> str:
    """What pages run, with the schemas of records."""
    text = "".join((HERE / name).read_text("utf-8") for name in (*SCRIPTS, *more))
    schemas = [json.loads(path.read_text("utf-8")) for path in sorted(SCHEMAS.glob("audit-*.json"))]
    for own in schemas:
        del own["$schema"], own["title"], own["description"]
    return text.replace("@SCHEMAS@", json.dumps(schemas, separators=(",", ":")))


def script(kernels: bytes, last: str) -> str:
    """What a page runs: what all have in common, and its own."""
    return source(last).replace("@KERNELS@", base64.b64encode(kernels).decode())


def refresh() -> str:
    """Make the script of audits' pages, if it is not that of these sources; what is missing."""
    sources = [*HERE.glob("*.*"), *KERNELS.glob("*.[ch]"), *SCHEMAS.glob("audit-*.json")]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(sources))).hexdigest()
    first = f"// The sources have the SHA-256 {digest}\n"
    if MADE.exists() and MADE.read_text("utf-8").startswith(first):
        return ""
    MADE.unlink(missing_ok=True)
    if reason := missing():
        return reason
    MADE.write_text(first + script(compiled(), "audit.js"), "utf-8", newline="\n")
    return ""


def page(kernels: bytes) -> str:
    """The page: nothing in it but its own script and style can run or be loaded."""
    style, program = (HERE / "page.css").read_text("utf-8"), script(kernels, "page.js")

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    policy = (
        f"default-src 'none'; script-src {digest(program)} 'wasm-unsafe-eval'; "
        f"style-src {digest(style)}; base-uri 'none'; form-action 'none'"
    )
    text = (HERE / "page.html").read_text("utf-8")
    for name, value in (("POLICY", policy), ("STYLE", style), ("SCRIPT", program)):
        text = text.replace(f"@{name}@", value)
    return text


if __name__ == "__main__":
    if len(sys.argv) > 2:
        raise SystemExit("usage: python docs/web/build.py [FILE.html]")
    if reason := refresh() or missing():
        raise SystemExit(f"{reason}: nothing was built")
    if len(sys.argv) == 2:
        Path(sys.argv[1]).write_text(page(compiled()), "utf-8", newline="\n")

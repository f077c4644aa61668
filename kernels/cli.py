"""The command line, ``python -m kernels``: run, inspect, probe, bench, doctor.

Exit code 0 is a good result, 1 a bad one (an error past its bound, an instruction that does not do what the model
says, a machine with a problem), 2 bad input, with one line on stderr.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from kernels import backend  # and nothing that needs a package: doctor runs where they are missing

if TYPE_CHECKING:
    from collections.abc import Sequence

# Checking against float64 costs about this many elements of C and steps of K a second, times a few, in NumPy.
CHECKED_STEPS = 2**27


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{' '.join(message.split())}; {' '.join(self.format_usage().split())}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    chosen = _parser().parse_args(arguments)
    try:
        code = int(chosen.command(chosen))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever reads has enough. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("python -m kernels: interrupted", file=sys.stderr)
        return 130
    except ImportError as error:
        return _refuse(f"{error}; python -m kernels doctor says what is missing here")
    except (ValueError, TypeError, OSError, MemoryError, RuntimeError) as error:
        return _refuse(str(error))


def _refuse(sentence: str) -> int:
    print(f"python -m kernels: {' '.join(sentence.split())}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        "python -m kernels", description="Run, check and look into the kernels.", allow_abbrev=False
    )
    commands = parser.add_subparsers(required=True, parser_class=_Parser)

    def add(name: str, command: Any, text: str, *, kernel: bool) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        one.set_defaults(command=command)
        if kernel:
            one.add_argument("kernel", help="its name, such as reference")
        return one

    def options(one: argparse.ArgumentParser) -> None:
        one.add_argument("--acc", default="f16", metavar="{f16,f32}", help="the accumulator")
        one.add_argument(
            "--pad", default=0, type=int, help="elements added to each row of a tile, a multiple of 8"
        )

    run = add("run", _run, "multiply real matrices and compare with float64", kernel=True)
    run.add_argument(
        "--size", required=True, type=_size, metavar="M,N,K", help="C is M x N; K is summed over"
    )
    options(run)
    run.add_argument("--seed", default=0, type=_seed, help="of the N(0, 1) inputs")
    run.add_argument("--json", action="store_true")

    inspect = add("inspect", _inspect, "show what the compiler made of a kernel; no GPU needed", kernel=True)
    inspect.add_argument("--arch", required=True, metavar="sm_NN")
    inspect.add_argument("--what", default="resources", choices=("ptx", "sass", "resources", "all"))
    options(inspect)

    probe = add("probe", _probe, "ask the hardware who holds what, and compare with the model", kernel=False)
    probe.add_argument("--record", type=Path, metavar="FILE", help="write everything that came out, as JSON")

    bench = add(
        "bench", _bench, "check and time a kernel beside its C++ twin; needs a GPU, nvcc, torch", kernel=True
    )
    bench.add_argument(
        "--record", type=Path, metavar="FILE", help="write the rows and where they come from, as JSON"
    )

    doctor = add(
        "doctor",
        _doctor,
        "say what this machine has, what is wrong with it, and how to mend it",
        kernel=False,
    )
    doctor.add_argument("--json", action="store_true")
    return parser


def _size(text: str) -> tuple[int, int, int]:
    try:
        m, n, k = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"wanted M,N,K such as 128,128,32, got {text!r}") from None
    if min(m, n, k) < 1:
        raise argparse.ArgumentTypeError(f"wanted sizes above zero, got {text!r}")
    return m, n, k


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"wanted a whole number from 0 up, got {text!r}")
    return int(text)


def _run(chosen: argparse.Namespace) -> int:
    import numpy as np

    from kernels import error, hgemm, inputs

    kernel = hgemm.check_options(chosen.kernel, chosen.acc, chosen.pad)
    m, n, k = chosen.size
    hgemm.check_size(kernel, m, n, k)
    backend.fix()
    from kernels.adapter import SIMULATED, cuda
    from kernels.door import matmul

    a, b = inputs.normal(m, n, k, chosen.seed)
    start = time.perf_counter()
    c = matmul(a, b, kernel=chosen.kernel, acc=chosen.acc, pad=chosen.pad)
    seconds = time.perf_counter() - start
    # All rows if that is quick, else rows spread evenly over the matrix.
    count = min(m, max(1, CHECKED_STEPS // (n * (k // 16))))
    rows = np.unique(np.linspace(0, m - 1, count).astype(int))
    mma_k = 16 if SIMULATED or cuda.get_current_device().compute_capability >= (8, 0) else 8
    product, bound = error.product_and_bound(a[rows].astype(float), b.astype(float), chosen.acc, mma_k=mma_k)
    verdict = error.judge(c[rows].astype(float), product, bound)
    line = backend.describe()
    if chosen.json:
        facts = {
            "backend": line.removeprefix("backend: "),
            "kernel": chosen.kernel,
            "acc": chosen.acc,
            "pad": chosen.pad,
        }
        facts |= {"m": m, "n": n, "k": k, "rows_checked": len(rows), "seconds": seconds, **verdict._asdict()}
        print(json.dumps(facts))
    else:
        print(line)
        print(f"{chosen.kernel}  {m} x {n} x {k}  acc {chosen.acc}  pad {chosen.pad}  N(0, 1)")
        print(f"took {seconds:.2f} s, with compiling and copies")
        print(f"largest error against float64 over {len(rows)} of {m} rows: {verdict.max_error:.3g}")
        print(f"nearest to its bound: an error of {verdict.error:.3g} where {verdict.bound:.3g} is allowed")
        print("within the bound" if verdict.ok else f"PAST THE BOUND in {verdict.beyond} elements")
    return 0 if verdict.ok else 1


def _inspect(chosen: argparse.Namespace) -> int:
    from kernels import hgemm, inspect

    hgemm.check_options(chosen.kernel, chosen.acc, chosen.pad)
    inspect.check_arch(chosen.arch)
    backend.fix("compile")
    made = inspect.compiled(chosen.kernel, arch=chosen.arch, acc=chosen.acc, pad=chosen.pad)
    if chosen.what == "all":
        print(json.dumps(asdict(made)))
    else:
        listed = (
            json.dumps(made.resources(), indent=2)
            if chosen.what == "resources"
            else getattr(made, chosen.what)
        )
        print(listed)
    return 0


def _probe(chosen: argparse.Namespace) -> int:
    _check_record(chosen.record)
    print(backend.describe())
    if backend.simulated():
        print("the simulator computes with the model: this checks the probe, and nothing about hardware")
    from kernels.probe import probe

    found = probe()
    for row in found["rows"]:
        classes = " ".join(f"{count} {name}" for name, count in row.get("classes", {}).items())
        told = f"{row['pairs']} pairs of halves, {classes} told apart" if classes else "every register"
        verdict = f"{row['wrong']} WRONG" if row["wrong"] else "as the model says"
        print(f"{row['instruction']:22} {told}: {verdict}")
    _record(chosen.record, found)
    return 1 if any(row["wrong"] for row in found["rows"]) else 0


def _bench(chosen: argparse.Namespace) -> int:
    from kernels import hgemm

    _check_record(chosen.record)
    hgemm.get(chosen.kernel)
    if backend.fix() != "gpu":
        raise backend.BackendError("bench times kernels on a GPU, and the backend is the simulator")
    from kernels.bench import bench

    found = bench(chosen.kernel)
    _record(chosen.record, found)
    return 0 if all(row["ok"] and row["exact"] and row["compute_75_exact"] for row in found["rows"]) else 1


def _doctor(chosen: argparse.Namespace) -> int:
    from kernels import doctor

    page, well = doctor.report(as_json=chosen.json)
    print(page)
    return 0 if well else 1


def _check_record(file: Path | None) -> None:
    """Say before the work, not after it, that its result could not be written."""
    if file is not None:
        from lanes.files import check_target

        try:
            check_target(file)
        except ValueError as refusal:
            raise ValueError(f"--record {refusal}") from None


def _record(file: Path | None, found: dict[str, Any]) -> None:
    if file is not None:
        from lanes.files import write_whole

        write_whole(file, (json.dumps(found, indent=1) + "\n").encode())
        print(f"wrote {file}")

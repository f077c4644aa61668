"""Check the kernels and time them beside their C++ twins, on a GPU, in one run. Needs nvcc and torch.

Every sample is one launch between two events, and a launch of the same kernel stands in front of it, so that the GPU is
busy while Python queues the sample. The contenders take turns, in another order each round.
"""

from __future__ import annotations

import ctypes
import functools
import random
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernels import door, error, hgemm, inputs, inspect
from kernels.adapter import cuda
from kernels.provenance import output, provenance
from kernels.raw import Image, numba_array, pointer

if TYPE_CHECKING:
    import torch

HERE = Path(__file__).parent
CHECK_SIZES, TIME_SIZES = (128, 1024, 4096, 8192), (4096, 8192)
VARIANTS = [(acc, pad) for acc in ("f16", "f32") for pad in (0, 8)]
Launch = Callable[[Any, Any, Any], None]  # of A, B and C, torch tensors on the GPU


def twin(acc: str, pad: int) -> Launch:
    """The C++ twin of the reference kernel, compiled by ``nvcc -O3`` for this GPU, as ``launch(a, b, c)``.

    Raises RuntimeError if there is no nvcc, or with its own words if it fails.
    """
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        raise RuntimeError("nvcc was not found on the PATH; the C++ twin is compiled with it")
    major, minor = cuda.get_current_device().compute_capability
    with tempfile.TemporaryDirectory() as folder:
        cubin = Path(folder) / "twin.cubin"
        options = [
            "-O3",
            f"-arch=sm_{major}{minor}",
            "-cubin",
            f"-DACC_F32={int(acc == 'f32')}",
            f"-DPAD={pad}",
        ]
        command = [nvcc, *options, "-o", str(cubin), str(HERE / "baseline" / "reference.cu")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"nvcc failed: {done.stderr.strip()}")
        image = Image(cubin.read_bytes(), "hgemm_reference")
    chosen = hgemm.get("reference")

    def launch(a: Any, b: Any, c: Any) -> None:
        (m, k), n = a.shape, b.shape[1]
        values = [pointer(a), pointer(b), pointer(c), ctypes.c_int(n), ctypes.c_int(k)]
        image.launch(chosen.grid(m, n), chosen.tiling.threads, values)

    return launch


def through_ptx(kernel: str, acc: str, pad: int, arch: str) -> Launch:
    """A kernel compiled for another architecture, as PTX that the driver translates for this GPU."""
    compiled, chosen = inspect.compiled(kernel, arch=arch, acc=acc, pad=pad), hgemm.get(kernel)
    entry = compiled.ptx.split(".visible .entry ")[1].split("(")[0]
    image = Image(compiled.ptx.encode(), entry)

    def launch(a: Any, b: Any, c: Any) -> None:
        values = [*numba_array(a), *numba_array(b), *numba_array(c), ctypes.c_int(a.shape[1])]
        image.launch(chosen.grid(a.shape[0], b.shape[1]), chosen.tiling.threads, values)

    return launch


def ours(kernel: str, acc: str, pad: int) -> Launch:
    """A kernel through numba's dispatcher."""
    chosen = hgemm.get(kernel)
    return lambda a, b, c: door.launch(
        chosen, acc, pad, cuda.as_cuda_array(a), cuda.as_cuda_array(b), cuda.as_cuda_array(c)
    )


def result(launch: Launch, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """C of one launch, into memory that was NaN before."""
    import torch

    c = torch.full((a.shape[0], b.shape[1]), float("nan"), dtype=torch.float16, device="cuda")
    launch(a, b, c)
    cuda.synchronize()
    return c


def exact(launch: Launch, size: int) -> bool:
    """Whether the kernel is exact, element by element, on integers that keep every sum representable."""
    a, b = _on_gpu(inputs.integers, size)
    return bool((result(launch, a, b).double() == a.double() @ b.double()).all())


def check_normal(launch: Launch, size: int, acc: str) -> dict[str, Any]:
    """Compare with float64 on N(0, 1), and show that the bound would catch what it must.

    `rejects` counts the elements past the bound for C = 0, for C with one K step lost, and for C from an A with the
    halves of one register swapped throughout.
    """
    import torch

    a, b = _on_gpu(inputs.normal, size)
    product, bound = error.product_and_bound(a.double(), b.double(), acc)
    c = result(launch, a, b)
    verdict = error.judge(c.double(), product, bound)
    step = slice(size // 2, size // 2 + 16)
    lost = c.double() - a[:, step].double() @ b[step].double()
    pairs = a.clone().view(size, -1, 8, 2)
    pairs[:, :, 4:8] = pairs[:, :, 4:8].flip(-1)  # columns 8-15 of each step are registers 2 and 3
    swapped = result(launch, pairs.view(size, size).contiguous(), b).double()
    wrong = {"zero": torch.zeros_like(product), "lost_step": lost, "swapped_halves": swapped}
    rejects = {name: error.judge(value, product, bound).beyond for name, value in wrong.items()}
    return {
        "ok": verdict.ok,
        "error": verdict.error,
        "bound": verdict.bound,
        "max_error": verdict.max_error,
        "rejects": rejects,
    }


def interleaved(contenders: dict[str, Launch], size: int, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of every sample of every contender, on N(0, 1)."""
    import torch

    a, b = _on_gpu(inputs.normal, size)
    c = torch.empty((size, size), dtype=torch.float16, device="cuda")
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    order, shuffle = list(contenders), random.Random(0)
    for warm_up in (True, False):
        for _ in range(3 if warm_up else rounds):
            shuffle.shuffle(order)
            for name in order:
                start, stop = cuda.event(), cuda.event()
                contenders[name](a, b, c)
                start.record()
                contenders[name](a, b, c)
                stop.record()
                stop.synchronize()
                if not warm_up:
                    samples[name].append(cuda.event_elapsed_time(start, stop))
    return samples


def bench(kernel: str = "reference", rounds: int = 40) -> dict[str, Any]:
    """Check every variant at every size, time it beside its twin at the large ones. Ready for JSON."""
    rows: list[dict[str, Any]] = []
    built = {
        (acc, pad): (ours(kernel, acc, pad), twin(acc, pad), through_ptx(kernel, acc, pad, "sm_75"))
        for acc, pad in VARIANTS
    }
    for size in CHECK_SIZES:
        for (acc, pad), (launch, cpp, turing) in built.items():
            row: dict[str, Any] = {"kernel": kernel, "acc": acc, "pad": pad, "m": size, "n": size, "k": size}
            row |= {
                "exact": exact(launch, size),
                "nvcc_exact": exact(cpp, size),
                "compute_75_exact": exact(turing, size),
            }
            row |= check_normal(launch, size, acc)
            if size in TIME_SIZES:
                samples = interleaved({"ms": launch, "nvcc_ms": cpp}, size, rounds)
                for name, values in samples.items():
                    low, median, high = statistics.quantiles(values, n=4)
                    row |= {name: median, f"{name}_quartiles": [low, high]}
                row |= {"ratio": row["nvcc_ms"] / row["ms"], "tflops": 2e-9 * size**3 / row["ms"]}
            rows.append(row)
            print({name: value for name, value in row.items() if not name.endswith("quartiles")}, flush=True)
    return {"provenance": provenance() | {"clocks": _clocks(), "rounds": rounds}, "rows": rows}


@functools.lru_cache(maxsize=2)
def _on_gpu(make: Callable[[int, int, int], tuple[Any, Any]], size: int) -> list[torch.Tensor]:
    """Both matrices of one kind and size, made once for all the variants that are checked on them."""
    import torch

    return [torch.from_numpy(array).cuda() for array in make(size, size, size)]


def _clocks() -> str | None:
    """SM and memory clock and power now, as nvidia-smi prints them, right after the last launch."""
    return output(
        "nvidia-smi", "--query-gpu=clocks.sm,clocks.mem,power.draw", "--format=csv,noheader", "--id=0"
    )

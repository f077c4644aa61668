"""Run by a test, in processes of its own: do the kernels in a chapter's cells compile for GPUs, too?

python compile_kernels.py run CHAPTER       run the cells in the simulator; print what each launch was given
python compile_kernels.py compile CHAPTER   read that from stdin; compile those kernels, with no GPU
"""

import ast
import json
import re
import sys
from pathlib import Path

ARCHS = ("sm_75", "sm_80", "sm_90")


def cells(chapter: Path) -> list[str]:
    """The code of a chapter's cells; of a cell that loads a file, the file."""
    found = re.findall(
        r"^```\{code-cell\} ipython3\n(.*?)^```", chapter.read_text(), re.MULTILINE | re.DOTALL
    )
    options = re.compile(r"\A(---\n.*?^---\n|(:\w+: .*\n)+)", re.MULTILINE | re.DOTALL)
    texts = []
    for cell in found:
        load = re.search(r"^:?load: (\S+)$", cell, re.MULTILINE)
        texts.append((chapter.parent / load[1]).read_text() if load else options.sub("", cell))
    return texts


def run(chapter: Path) -> None:
    from kernels.adapter import cuda

    launches: dict[str, list[tuple[str, int]]] = {}
    jit = cuda.jit

    class Kernel:
        """A kernel that notes the types of its arguments."""

        def __init__(self, function):
            self.function, self.kernel = function, jit(function)

        def __getitem__(self, shape):
            def launch(*arguments):
                launches[self.function.__name__] = [(str(one.dtype), one.ndim) for one in arguments]
                self.kernel[shape](*arguments)

            return launch

    cuda.jit = lambda function=None, **options: Kernel(function) if function else jit(**options)
    names: dict[str, object] = {}
    stdout, sys.stdout = sys.stdout, sys.stderr
    for cell in cells(chapter):
        exec(compile(cell, chapter.name, "exec"), names)
    print(json.dumps(launches), file=stdout)


def compile_all(chapter: Path) -> None:
    from kernels import backend

    backend.fix("compile")
    import numpy as np
    from numba.np.numpy_support import from_dtype

    from kernels import toolchain
    from kernels.adapter import types

    launches = json.load(sys.stdin)
    names: dict[str, object] = {}
    for node in (node for cell in cells(chapter) for node in ast.parse(cell).body):
        kernel = isinstance(node, ast.FunctionDef) and node.name in launches
        if kernel or isinstance(node, (ast.Import, ast.ImportFrom)):
            exec(compile(ast.Module([node], []), chapter.name, "exec"), names)
    for kernel, arguments in launches.items():
        arrays = [types.Array(from_dtype(np.dtype(dtype)), ndim, "C") for dtype, ndim in arguments]
        for arch in ARCHS:
            toolchain.link(toolchain.ltoir(names[kernel], types.void(*arrays), arch), arch)
        print(kernel)


if __name__ == "__main__":
    {"run": run, "compile": compile_all}[sys.argv[1]](Path(sys.argv[2]))

"""Where the threads of a block stand, written by a launch; and what a signed number costs."""

import numpy as np
import pytest

from kernels import places
from kernels.adapter import cuda
from lanes import REFERENCE


@pytest.mark.parametrize("kernel", [places.place_unsigned, places.place_signed])
def test_every_thread_writes_where_it_stands(kernel):
    out = cuda.to_device(np.full((256, 4), -1, np.int32))
    cuda.jit(kernel)[1, 256](out)
    found = out.copy_to_host()
    # 2 x 4 warps, numbered down first.
    wanted = [[thread // 32, thread % 32, thread // 32 % 2, thread // 64] for thread in range(256)]
    assert found.tolist() == wanted == [list(REFERENCE.place(thread)) for thread in range(256)]


def test_a_signed_number_takes_more_instructions_where_the_compiler_cannot_know():
    counts = places.instructions("sm_75", "sm_80", "sm_90", "sm_120")
    assert list(counts) == ["sm_75", "sm_80", "sm_90", "sm_120"]
    for arch in ("sm_75", "sm_80", "sm_90"):
        # A shift or a mask for each of the four numbers, the address, and four stores.
        assert counts[arch]["place_unsigned"] <= 20
        assert counts[arch]["place_signed"] >= 2 * counts[arch]["place_unsigned"]


def test_an_architecture_there_is_not_is_refused_before_anything_is_compiled():
    with pytest.raises(ValueError, match=r"arch is 'sm_12'; there is sm_75, "):
        places.instructions("sm_80", "sm_12")


def test_what_the_compiler_says_is_passed_on(monkeypatch):
    monkeypatch.setattr(places, "COMPILE", "raise SystemExit('no toolkit')")
    monkeypatch.setattr(places.backend, "fixed", lambda: "simulator")
    with pytest.raises(RuntimeError, match="compiling for sm_80 failed: no toolkit"):
        places.instructions("sm_80")

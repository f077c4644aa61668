"""The door: what `matmul` refuses, in which words, and that nothing has happened when it does."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import kernels
from kernels import backend, door, hgemm, inputs, operands

M, N, K = 128, 256, 32
REFERENCE = hgemm.get("reference")


class Untouchable:
    """Stands where numba's `cuda` stood: whoever allocates, compiles or launches with it fails the test."""

    def __getattr__(self, name):
        raise AssertionError(f"cuda.{name} was used")


@pytest.fixture
def nothing_runs(monkeypatch):
    """Inside this test, nothing may be allocated, compiled or launched."""

    def ran(*arguments, **options):
        raise AssertionError("a kernel was made or launched")

    monkeypatch.setattr(door, "cuda", Untouchable())
    monkeypatch.setattr(door, "launch", ran)
    monkeypatch.setattr(door, "compiled", ran)


def matrices():
    return np.ones((M, K), np.float16), np.ones((K, N), np.float16)


def contents(*operands):
    """The bytes of those that are arrays, and not a huge one that is all repetition."""
    return [np.asarray(x).tobytes() for x in operands if isinstance(x, np.ndarray) and x.size < 2**20]


def test_the_spy_sees_a_good_call(nothing_runs):
    with pytest.raises(AssertionError, match=r"was used|launched"):
        kernels.matmul(*matrices())


KIND = "wanted a NumPy array, or a device array (one with __cuda_array_interface__)"
ROW_MAJOR = "is not C-contiguous; wanted row-major with no gaps (np.ascontiguousarray)"

# What is done to A and B, the exception, and its words.
BAD_OPERANDS = {
    "a float32": (
        lambda a, b: (a.astype(np.float32), b),
        TypeError,
        "a is float32; the reference kernel wants float16",
    ),
    "b float64": (
        lambda a, b: (a, b.astype(float)),
        TypeError,
        "b is float64; the reference kernel wants float16",
    ),
    "a bfloat16": (
        lambda a, b: (a.astype(ml_dtypes.bfloat16), b),
        TypeError,
        "a is bfloat16; the reference kernel wants float16",
    ),
    "b big-endian": (
        lambda a, b: (a, b.astype(">f2")),
        TypeError,
        "b is >f2; the reference kernel wants float16",
    ),
    "a int16": (
        lambda a, b: (a.astype(np.int16), b),
        TypeError,
        "a is int16; the reference kernel wants float16",
    ),
    "b bool": (
        lambda a, b: (a, b.astype(bool)),
        TypeError,
        "b is bool; the reference kernel wants float16",
    ),
    "a objects": (
        lambda a, b: (a.astype(object), b),
        TypeError,
        "a is object; the reference kernel wants float16",
    ),
    "a 0-D": (
        lambda a, b: (np.array(1, np.float16), b),
        ValueError,
        "a has shape (); wanted a matrix, with two sizes",
    ),
    "b 1-D": (
        lambda a, b: (a, b[0]),
        ValueError,
        "b has shape (256,); wanted a matrix, with two sizes",
    ),
    "a 3-D": (
        lambda a, b: (a[None], b),
        ValueError,
        "a has shape (1, 128, 32); wanted a matrix, with two sizes",
    ),
    "inner sizes": (
        lambda a, b: (a, b[:16]),
        ValueError,
        "a has 32 columns and b has 16 rows; wanted the same K in both",
    ),
    "a transposed": (
        lambda a, b: (a.T, b),
        ValueError,
        "a has 128 columns and b has 32 rows; wanted the same K in both",
    ),
    "a Fortran": (lambda a, b: (np.asfortranarray(a), b), ValueError, f"a {ROW_MAJOR}"),
    "b Fortran": (lambda a, b: (a, np.asfortranarray(b)), ValueError, f"b {ROW_MAJOR}"),
    "a sliced": (lambda a, b: (a[:, :16], b[:16]), ValueError, f"a {ROW_MAJOR}"),
    "b sliced": (lambda a, b: (a, b[:, ::2]), ValueError, f"b {ROW_MAJOR}"),
    "b backwards": (lambda a, b: (a, b[::-1]), ValueError, f"b {ROW_MAJOR}"),
    "a repeated": (
        lambda a, b: (np.broadcast_to(a[:1], a.shape), b),
        ValueError,
        f"a {ROW_MAJOR}",
    ),
    "M": (
        lambda a, b: (a[:100].copy(), b),
        ValueError,
        "M is 100; the reference kernel wants a multiple of 128",
    ),
    "N": (
        lambda a, b: (a, b[:, :64].copy()),
        ValueError,
        "N is 64; the reference kernel wants a multiple of 128",
    ),
    "K": (
        lambda a, b: (a[:, :24].copy(), b[:24]),
        ValueError,
        "K is 24; the reference kernel wants a multiple of 16",
    ),
    "M past the grid": (
        lambda a, b: (np.broadcast_to(np.float16(1), (65_536 * 128, K)), b),
        ValueError,
        "M is 8388608; the reference kernel takes at most 8388480 rows",
    ),
    "N past 32 bits": (
        lambda a, b: (a, np.broadcast_to(np.float16(1), (len(b), 2**27))),
        ValueError,
        "N is 134217728; the reference kernel takes at most 134217600 columns",
    ),
    "M zero": (
        lambda a, b: (a[:0], b),
        ValueError,
        "a has shape (0, 32); wanted sizes above zero",
    ),
    "N zero": (
        lambda a, b: (a, b[:, :0]),
        ValueError,
        "b has shape (32, 0); wanted sizes above zero",
    ),
    "K zero": (
        lambda a, b: (a[:, :0], b[:0]),
        ValueError,
        "a has shape (128, 0); wanted sizes above zero",
    ),
    "a list": (lambda a, b: (a.tolist(), b), TypeError, f"a is a list; {KIND}"),
    "b None": (lambda a, b: (a, None), TypeError, f"b is a NoneType; {KIND}"),
    "a text": (lambda a, b: ("a", b), TypeError, f"a is a str; {KIND}"),
    "a number": (lambda a, b: (np.float16(1), b), TypeError, f"a is a numpy.float16; {KIND}"),
    "b masked": (
        lambda a, b: (a, np.ma.masked_array(b, mask=b > 0)),
        TypeError,
        f"b is a numpy.ma.MaskedArray; {KIND}",
    ),
}


@pytest.mark.parametrize("case", BAD_OPERANDS)
def test_a_bad_operand_gets_one_sentence_and_nothing_happens(nothing_runs, case):
    change, exception, sentence = BAD_OPERANDS[case]
    a, b = change(*matrices())
    before = contents(a, b)
    with pytest.raises(exception) as caught:
        kernels.matmul(a, b)
    assert str(caught.value) == sentence
    assert type(caught.value) is exception
    assert contents(a, b) == before


PAD = "wanted a plain int, 0 or a multiple of 8 elements (rows start on 16 bytes)"
BAD_OPTIONS = [
    ({"kernel": "fastest"}, "kernel is 'fastest'; there is reference"),
    ({"kernel": None}, "kernel is None; there is reference"),
    ({"kernel": ["reference"]}, "kernel is ['reference']; there is reference"),
    ({"acc": "bf16"}, "acc is 'bf16'; the accumulator is 'f16' or 'f32'"),
    ({"acc": "F32"}, "acc is 'F32'; the accumulator is 'f16' or 'f32'"),
    ({"acc": None}, "acc is None; the accumulator is 'f16' or 'f32'"),
    ({"acc": np.float32}, "acc is <class 'numpy.float32'>; the accumulator is 'f16' or 'f32'"),
    ({"pad": -8}, f"pad is -8; {PAD}"),
    ({"pad": 4}, f"pad is 4; {PAD}"),
    ({"pad": True}, f"pad is True; {PAD}"),
    ({"pad": False}, f"pad is False; {PAD}"),
    ({"pad": 1.5}, f"pad is 1.5; {PAD}"),
    ({"pad": 8.0}, f"pad is 8.0; {PAD}"),
    ({"pad": "8"}, f"pad is '8'; {PAD}"),
    ({"pad": None}, f"pad is None; {PAD}"),
    (
        {"pad": 144},
        "pad is 144: the tiles then take 49,664 bytes of shared memory, and a block has 49,152",
    ),
]


@pytest.mark.parametrize(("options", "sentence"), BAD_OPTIONS)
def test_a_bad_option_gets_one_sentence_and_nothing_happens(nothing_runs, options, sentence):
    with pytest.raises(ValueError, match="is") as caught:
        kernels.matmul(*matrices(), **options)
    assert str(caught.value) == sentence


def test_the_largest_pad_that_fits_is_taken():
    a, b = inputs.integers(128, 128, 16)
    np.testing.assert_array_equal(kernels.matmul(a, b, pad=136), a.astype(int) @ b.astype(int))


@pytest.mark.parametrize("acc", ["f16", "f32"])
def test_the_result_is_a_new_float16_array_and_the_inputs_are_untouched(acc):
    a, b = inputs.integers(128, 128, 16)
    before = a.copy(), b.copy()
    one, two = kernels.matmul(a, b, acc=acc), kernels.matmul(a, b, acc=acc)
    assert type(one) is np.ndarray
    assert (one.dtype, one.shape, one.flags.c_contiguous) == (np.float16, (128, 128), True)
    assert not any(np.shares_memory(one, other) for other in (a, b, two))
    one[:] = 7  # it is the caller's to write to
    np.testing.assert_array_equal(two, a.astype(int) @ b.astype(int))
    np.testing.assert_array_equal(a, before[0])
    np.testing.assert_array_equal(b, before[1])


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def unaligned(array):
    place = np.frombuffer(bytearray(array.nbytes + 1), np.float16, array.size, offset=1).reshape(array.shape)
    place[:] = array
    return place


class Subclass(np.ndarray):
    """As np.matrix or np.memmap are."""


@pytest.mark.parametrize("kind", [read_only, unaligned, lambda array: array.view(Subclass)])
def test_any_float16_memory_of_numpy_does(kind):
    a, b = inputs.integers(128, 128, 16)
    c = kernels.matmul(kind(a), kind(b))
    assert type(c) is np.ndarray
    np.testing.assert_array_equal(c, a.astype(int) @ b.astype(int))


def test_both_operands_may_be_one_array():
    a = np.eye(128, dtype=np.float16) * np.float16(3)
    np.testing.assert_array_equal(kernels.matmul(a, a), 9 * np.eye(128))


# Device arrays, as `operands` sees them. They need no GPU: `device_of` says where an address is.
ADDRESS = 1 << 40


def device_of(address):
    return address >> 40


class Device:
    """A device array of nothing but its description."""

    def __init__(self, shape, typestr="<f2", address=ADDRESS, strides=None):
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": typestr,
            "data": (address, False),
            "strides": strides,
            "version": 3,
        }


class Raising:
    """An array that raises when it is asked for its description."""

    def __init__(self, error):
        self.error = error

    @property
    def __cuda_array_interface__(self):
        raise self.error


def checked(a, b):
    operands.check(REFERENCE, operands.describe("a", a, device_of), operands.describe("b", b, device_of))


@pytest.mark.parametrize(
    "interface",
    [
        {},
        {"shape": (M, K)},
        {"shape": None},
        {"shape": (M, K), "typestr": "zz"},
        {"shape": (M, K), "typestr": "<f2"},
    ],
)
def test_a_broken_interface_names_its_argument(interface):
    broken = type("Broken", (), {"__cuda_array_interface__": interface})()
    with pytest.raises(TypeError, match=r"^a is a .*Broken that cannot be read as a device array: "):
        operands.describe("a", broken, device_of)


@pytest.mark.parametrize("strides", [None, (2 * K, 2)])
def test_a_good_device_array_passes(strides):
    checked(Device((M, K), strides=strides), Device((K, N), address=ADDRESS + 16))


HOST = np.ones((K, N), np.float16)
BAD_DEVICE_ARRAYS = {
    "float32": (
        Device((M, K), "<f4"),
        Device((K, N)),
        TypeError,
        "a is float32; the reference kernel wants float16",
    ),
    "big-endian": (
        Device((M, K)),
        Device((K, N), ">f2"),
        TypeError,
        "b is >f2; the reference kernel wants float16",
    ),
    "3-D": (
        Device((1, M, K)),
        Device((K, N)),
        ValueError,
        "a has shape (1, 128, 32); wanted a matrix, with two sizes",
    ),
    "empty, with no address": (
        Device((0, K), address=0),
        Device((K, N)),
        ValueError,
        "a has shape (0, 32); wanted sizes above zero",
    ),
    "transposed": (
        Device((M, K)),
        Device((K, N), strides=(2, 2 * K)),
        ValueError,
        f"b {ROW_MAJOR}",
    ),
    "sliced": (Device((M, K), strides=(4 * K, 2)), Device((K, N)), ValueError, f"a {ROW_MAJOR}"),
    "misaligned": (
        Device((M, K), address=ADDRESS + 8),
        Device((K, N)),
        ValueError,
        "a does not start on a multiple of 16 bytes; wanted a fresh copy of it",
    ),
    "host and device": (
        np.ones((M, K), np.float16),
        Device((K, N)),
        ValueError,
        "a is in host memory and b in device memory; wanted both in the same place",
    ),
    "device and host": (
        Device((M, K)),
        HOST,
        ValueError,
        "a is in device memory and b in host memory; wanted both in the same place",
    ),
    "two devices": (
        Device((M, K)),
        Device((K, N), address=3 * ADDRESS),
        ValueError,
        "a is on GPU 1 and b on GPU 3; wanted both on one GPU",
    ),
    "requires grad": (
        Device((M, K)),
        Raising(RuntimeError("it requires grad; use detach()")),
        TypeError,
        "b is a test_door.Raising that cannot be read as a device array: it requires grad; use detach()",
    ),
    "a dtype its library cannot say": (
        Raising(TypeError("no typestr for bfloat16")),
        Device((K, N)),
        TypeError,
        "a is a test_door.Raising that cannot be read as a device array: no typestr for bfloat16",
    ),
    "a CPU tensor": (
        Raising(AttributeError("not a CUDA tensor")),
        Device((K, N)),
        TypeError,
        f"a is a test_door.Raising; {KIND}",
    ),
}


@pytest.mark.parametrize("case", BAD_DEVICE_ARRAYS)
def test_a_bad_device_array_gets_one_sentence(case):
    a, b, exception, sentence = BAD_DEVICE_ARRAYS[case]
    with pytest.raises(exception) as caught:
        checked(a, b)
    assert str(caught.value).replace(__name__, "test_door") == sentence
    assert type(caught.value) is exception


def test_a_dtype_that_has_no_typestr_is_called_as_its_library_calls_it():
    a = Device((M, K), "|V2")
    a.dtype = "torch.bfloat16"
    with pytest.raises(TypeError, match=r"^a is torch\.bfloat16; the reference kernel wants float16$"):
        checked(a, Device((K, N)))


def test_an_address_of_no_gpu_names_its_argument():
    def unknown(address):
        raise ValueError(f"nothing at {address}")

    with pytest.raises(ValueError, match=r"^b is a .*Device whose GPU is not known: nothing at \d+$"):
        operands.describe("b", Device((K, N)), unknown)


@pytest.mark.simulator
def test_a_device_array_in_the_simulator_is_refused(nothing_runs):
    with pytest.raises(backend.BackendError) as caught:
        kernels.matmul(Device((M, K)), Device((K, N)))
    assert str(caught.value) == (
        "a and b are device arrays, and the backend is the simulator: give NumPy arrays, or LANES_BACKEND=gpu"
    )


@pytest.mark.simulator
def test_host_and_device_mixed_in_the_simulator_are_refused(nothing_runs):
    with pytest.raises(ValueError, match=r"^a is in device memory and b in host memory; wanted both"):
        kernels.matmul(Device((M, K)), HOST)


# On a GPU. The libraries are imported in the tests: where one is missing, they fail.


def on_device(library, array):
    """`array` in the memory of the GPU, as an array of `library`."""
    if library == "torch":
        import torch

        return torch.from_numpy(array).cuda()
    if library == "cupy":
        import cupy

        return cupy.asarray(array)
    return door.cuda.to_device(array)


def on_host(array):
    """A device array of any library as a NumPy array."""
    if hasattr(array, "copy_to_host"):
        return array.copy_to_host()
    return array.get() if hasattr(array, "get") else array.cpu().numpy()


@pytest.mark.gpu
@pytest.mark.parametrize("acc", ["f16", "f32"])
@pytest.mark.parametrize("library", ["torch", "cupy", "numba"])
def test_device_arrays_give_a_new_one_of_their_kind(library, acc):
    a, b = inputs.integers(256, 384, 64)
    left, right = on_device(library, a), on_device(library, b)
    c = kernels.matmul(left, right, acc=acc)
    assert type(c) is type(left)
    assert tuple(c.shape) == (256, 384)
    assert c.dtype == left.dtype
    np.testing.assert_array_equal(on_host(c), a.astype(int) @ b.astype(int))
    np.testing.assert_array_equal(on_host(left), a)
    np.testing.assert_array_equal(on_host(right), b)


@pytest.mark.gpu
def test_one_kind_may_be_multiplied_by_another_and_the_first_decides():
    import torch

    a, b = inputs.integers(128, 128, 32)
    c = kernels.matmul(on_device("torch", a), on_device("cupy", b))
    assert isinstance(c, torch.Tensor)
    np.testing.assert_array_equal(on_host(c), a.astype(int) @ b.astype(int))


@pytest.mark.gpu
def test_the_kernel_is_queued_on_torch_s_current_stream():
    """The inputs arrive late on a stream of their own: on any other stream the kernel would read zeros."""
    import torch

    a, b = (on_device("torch", array) for array in inputs.integers(128, 128, 32))
    late_a, late_b = torch.zeros_like(a), torch.zeros_like(b)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        expected = on_host(kernels.matmul(a, b))  # from here on the kernel is compiled, and torch has memory
        torch.cuda.synchronize()
        torch.cuda._sleep(1_000_000_000)  # about half a second
        late_a.copy_(a)
        late_b.copy_(b)
        c = kernels.matmul(late_a, late_b)
        assert not stream.query(), "matmul waited for the GPU"
    stream.synchronize()
    assert expected.any()
    np.testing.assert_array_equal(on_host(c), expected)


@pytest.mark.gpu
def test_the_result_is_ready_in_the_order_of_cupy_s_current_stream():
    import cupy

    a, b = inputs.integers(128, 128, 32)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        c = kernels.matmul(cupy.asarray(a), cupy.asarray(b)) + cupy.float16(1)
        stream.synchronize()
        np.testing.assert_array_equal(c.get(), a.astype(int) @ b.astype(int) + 1)


def torch_cases():
    import torch

    a = torch.ones((M, K), dtype=torch.float16, device="cuda")
    b = torch.ones((K, N), dtype=torch.float16, device="cuda")
    flat = torch.ones(M * K + 8, dtype=torch.float16, device="cuda")
    return {
        "float32": (a.float(), b, TypeError, r"a is torch\.float32; .* wants float16"),
        "bfloat16": (a, b.bfloat16(), TypeError, r"b is (torch\.bfloat16; .* wants float16|a torch\.Tensor)"),
        "1-D": (a[0], b, ValueError, r"a has shape \(32,\); wanted a matrix"),
        "transposed": (a, b.T.contiguous().T, ValueError, "b is not C-contiguous"),
        "sliced": (a[:, :16], b[:16], ValueError, "a is not C-contiguous"),
        "misaligned": (flat[1:-7].view(M, K), b, ValueError, "a does not start on a multiple of 16 bytes"),
        "requires grad": (a, b.clone().requires_grad_(), TypeError, "b is a torch.* requires grad"),
        "on the CPU": (a.cpu(), a, TypeError, r"a is a torch\.Tensor; wanted a NumPy array, or a device"),
        "host and device": (a, HOST, ValueError, "a is in device memory and b in host memory"),
        "zero": (a[:0], b, ValueError, r"a has shape \(0, 32\); wanted sizes above zero"),
    }


@pytest.mark.gpu
@pytest.mark.parametrize(
    "case",
    [
        "float32",
        "bfloat16",
        "1-D",
        "transposed",
        "sliced",
        "misaligned",
        "requires grad",
        "on the CPU",
        "host and device",
        "zero",
    ],
)
def test_a_bad_torch_tensor_gets_one_sentence_and_nothing_happens(nothing_runs, case):
    a, b, exception, words = torch_cases()[case]
    with pytest.raises(exception, match=f"^{words}") as caught:
        kernels.matmul(a, b)
    assert "\n" not in str(caught.value)
    assert type(caught.value) is exception


@pytest.mark.gpu
def test_an_address_that_is_on_no_gpu_is_refused(nothing_runs):
    with pytest.raises(
        ValueError, match=r"^a is a .*Device whose GPU is not known: the driver knows nothing"
    ):
        kernels.matmul(Device((M, K), address=0x10), Device((K, N), address=0x10))

"""`at(array, (i, j))` is the address of an element, ``&array[i][j]`` in C++; `ahead(address, nbytes)` moves it on.

The index of an array of one dimension may be a plain number: `at(array, i)`.
"""

from __future__ import annotations

from typing import Any

from kernels.adapter import SIMULATED, types

if SIMULATED:
    from kernels.simulator.block import current
    from kernels.simulator.memory import Pointer

    def at(array: Any, index: int | tuple[int, ...]) -> Pointer:
        """The address of ``array[index]``; IndexError, with the array and the index, if there is no such element."""
        return Pointer(
            array, array.start + array.element(index, wrap=False) * array.dtype.itemsize, current()
        )

    def ahead(address: Pointer, nbytes: int) -> Pointer:
        """The address `nbytes` after `address`; it may leave the array as long as nothing is read or written there."""
        return Pointer(address.array, address.offset + nbytes, address.thread)

else:
    from numba.core import cgutils, errors
    from numba.cuda.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typingctx: Any, array: Any, index: Any) -> Any:
        """The address of ``array[index]``: no bounds are checked, and negative indices do not count from the end."""

        plain = isinstance(index, types.Integer)
        count = 1 if plain else len(index)
        if count != array.ndim:
            raise errors.TypingError(f"an array of {array.ndim} dimensions is indexed with {count} indices")

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind, index_kinds = signature.args
            view = context.make_array(kind)(context, builder, arguments[0])
            values = [arguments[1]] if plain else cgutils.unpack_tuple(builder, arguments[1])
            indices = [
                context.cast(builder, value, integer, types.intp)
                for value, integer in zip(values, [index_kinds] if plain else index_kinds, strict=True)
            ]
            pointer = cgutils.get_item_pointer2(
                context,
                builder,
                view.data,
                cgutils.unpack_tuple(builder, view.shape),
                cgutils.unpack_tuple(builder, view.strides),
                kind.layout,
                indices,
                wraparound=False,
            )
            # Local and shared arrays may come in address spaces of their own; device functions take generic pointers.
            generic = builder.bitcast if pointer.type.addrspace == 0 else builder.addrspacecast
            return generic(pointer, cgutils.voidptr_t)

        return types.voidptr(array, index), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def ahead(typingctx: Any, address: Any, nbytes: Any) -> Any:
        """The address `nbytes` after `address`."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.gep(
                arguments[0], [context.cast(builder, arguments[1], signature.args[1], types.intp)]
            )

        return types.voidptr(address, nbytes), codegen

"""Names for what kernels take and give: arrays by their element, and numbers.

Numba compiles by the types that arrive; these names tell a reader and the type checker what those
are. How many axes an array has stands in the comment of a field or a function. A number of up to 64
bits is an ``int``; one without a sign is an ``np.uint64``: a kernel does not mix the two.
"""

from __future__ import annotations

from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

Bools: TypeAlias = NDArray[np.bool_]
Int16s: TypeAlias = NDArray[np.int16]
Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Uint8s: TypeAlias = NDArray[np.uint8]
Uint16s: TypeAlias = NDArray[np.uint16]
Uint32s: TypeAlias = NDArray[np.uint32]
Uint64s: TypeAlias = NDArray[np.uint64]
Integers: TypeAlias = NDArray[np.integer[Any]]  # where more than one width is compiled

# A kernel widens a number by np.int64, and to Numba the result is what it calls any plain int.
int64 = cast(type[int], np.int64)

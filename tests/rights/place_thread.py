"""Thread by thread: warp, lane, warp_m, warp_n, and the corner of its patch."""

import numpy as np

MISTAKES = {
    "warps-along-n",
    "warp-m-and-n-swapped",
    "mma-for-warp-tile",
    "corner-of-the-warp",
    "row-and-col-swapped",
}


def right():
    found = []
    for warp_n in range(4):
        for warp_m in range(2):
            for lane in range(32):
                corner = [64 * warp_m + lane // 4, 32 * warp_n + 2 * (lane % 4)]
                found.append([warp_m + 2 * warp_n, lane, warp_m, warp_n, *corner])
    return [np.array(found)]

"""`python -m lanes view`: a scene as a picture, as a table or as data."""

import io
import json

from lanes.view.figure import figure, save
from lanes.view.scenes import SCENES
from lanes.view.table import as_csv, as_markdown, table

FORMS = ("svg", "png", "md", "csv", "json")


def rendered(name: str, choice: str, selection: str, form: str, *, dark: bool = False) -> bytes:
    """Return a scene in one of FORMS. choice: its options joined by ",", or "" for the first variant.

    svg and png show the variant with `selection` selected; md and csv are its table; json is the whole scene.

    Raises ValueError for a scene, variant, cell or form that is not there.

    >>> rendered("mma", "m16n8k8,f32", "", "csv").splitlines()[1][:16]
    b'A,"A(0,0)",cell,'
    """
    if name not in SCENES:
        raise ValueError(f"scene is {name!r}; wanted one of {', '.join(SCENES)}.")
    if form not in FORMS:
        raise ValueError(f"--format is {form!r}; wanted one of {', '.join(FORMS)}.")
    scene = SCENES[name]()
    known = {",".join(variant.choice): variant for variant in scene.variants}
    if choice and choice not in known:
        raise ValueError(f"--variant is {choice!r}; wanted one of {', '.join(known)}.")
    variant = known[choice] if choice else scene.variant()
    variant.find(selection or variant.start)
    if form == "json":
        return (json.dumps(scene.data, separators=(",", ":")) + "\n").encode()
    if form in ("md", "csv"):
        return (as_markdown if form == "md" else as_csv)(table(variant)).encode()
    picture = io.BytesIO()
    save(figure(scene, variant, selection, dark=dark), picture, form)
    return picture.getvalue()

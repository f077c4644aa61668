"""LaneView: the one widget of the book, in a live notebook and on its pages."""

import sys
from collections import Counter
from typing import Any, ClassVar

import anywidget
import traitlets

from lanes.view.bundle import stylesheet, widget_esm
from lanes.view.mount import mount
from lanes.view.scene import Scene


class LaneView(anywidget.AnyWidget):
    """A scene that answers to the mouse, to touch and to keys.

    scene: what to show. variant: one option per control. selection: a cell's name, such as "A(0,9)". step: 0 for
    everything, or which of the scene's steps. group: views of one group on a page select together; "" for none.

    The last four are traits, kept the same in Python and in the page, so that they link to each other and to the
    sliders of ipywidgets. Where a notebook becomes a page, a view leaves a static one that needs no Python.

    Raises ValueError or traitlets.TraitError for a variant, selection or step that the scene does not have.

    >>> from lanes.view.scenes import ldmatrix_scene
    >>> view = LaneView(ldmatrix_scene(), selection="A(0,9)")
    >>> view.variant
    ['x4', 'plain', 'dense']
    """

    _esm = widget_esm()
    _css = stylesheet()
    scene = traitlets.Dict(read_only=True).tag(sync=True)
    variant = traitlets.List(traitlets.Unicode()).tag(sync=True)
    selection = traitlets.Unicode().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    group = traitlets.Unicode("").tag(sync=True)

    _shown: ClassVar[Counter[str]] = Counter()

    def __init__(
        self,
        scene: Scene,
        *,
        variant: tuple[str, ...] | list[str] = (),
        selection: str = "",
        step: int = 0,
        group: str = "",
    ) -> None:
        """Check what to start with before anything is shown."""
        if not isinstance(scene, Scene):
            raise TypeError(f"scene is a {type(scene).__name__}; wanted a Scene, such as ldmatrix_scene().")
        if not isinstance(variant, tuple | list):
            raise TypeError(
                f"variant is {variant!r}; wanted one option for each control, such as {scene.start}."
            )
        chosen = scene.variant(*variant)
        chosen.find(selection or chosen.start)
        self._model = scene
        self.set_trait("scene", scene.data)
        super().__init__(
            variant=list(chosen.choice), selection=selection or chosen.start, step=step, group=group
        )

    @traitlets.validate("variant")
    def _check_variant(self, proposal: Any) -> list[str]:
        return list(self._model.variant(*proposal["value"]).choice)

    @traitlets.observe("variant")
    def _keep_selection(self, _: Any) -> None:
        """A cell that the new variant lacks gives way to the one it starts with, a step to its last."""
        variant = self._model.variant(*self.variant)
        if not any(self.selection in pane.places for pane in variant.panes):
            self.selection = variant.start
        self.step = min(self.step, len(variant.steps))

    @traitlets.validate("selection")
    def _check_selection(self, proposal: Any) -> str:
        self._model.variant(*self.variant).find(proposal["value"])
        return str(proposal["value"])

    @traitlets.validate("step")
    def _check_step(self, proposal: Any) -> int:
        steps = len(self._model.variant(*self.variant).steps)
        if not 0 <= proposal["value"] <= steps:
            raise traitlets.TraitError(f"step is {proposal['value']}; wanted 0-{steps}.")
        return int(proposal["value"])

    def __repr__(self) -> str:
        """Show the scene and the choice, the same on every run."""
        return f"LaneView({self._model.name!r}, variant={self.variant}, selection={self.selection!r})"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Add the static form. Colab draws the last form it is given, so there the live one stays alone."""
        bundle = super()._repr_mimebundle_(**options)
        if "google.colab" in sys.modules or bundle is None:
            return bundle
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        state = {"variant": self.variant, "selection": self.selection, "step": self.step, "group": self.group}
        self._shown[self._model.name] += 1
        identity = f"lanes-{self._model.name}-{self._shown[self._model.name]}"
        return data | {
            "text/html": mount(self._model, self._model.variant(*self.variant), state, identity)
        }, metadata

// Paper is light. The stylesheet shows on it what the screen hides: other tabs, other architectures.

{
  const { dataset } = document.documentElement;
  let theme = dataset.theme;

  addEventListener("beforeprint", () => {
    theme = dataset.theme;
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    dataset.theme = theme;
  });
}

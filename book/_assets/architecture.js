// The switch in the page's header: keeps the reader's architecture and tells the page of a change.
// The head of the page has read it already, before anything was drawn.

{
  const root = document.documentElement;

  /**
   * @param {string} arch such as "sm_80"
   * @returns {void}
   */
  const show = (arch) => {
    for (const input of document.querySelectorAll("#lanes-arch-switch input")) input.checked = input.value === arch;
    if (arch === root.dataset.arch) return;
    root.dataset.arch = arch;
    document.dispatchEvent(new CustomEvent("lanes:arch", { detail: arch }));
  };

  if (root.dataset.arch) {
    show(root.dataset.arch);
    document.getElementById("lanes-arch-switch")?.addEventListener("change", (event) => {
      localStorage.setItem("lanes-arch", event.target.value);
      show(event.target.value);
    });
    // A page that the browser kept for the Back button shows what was chosen since; another tab's choice holds too.
    const chosen = () => show(localStorage.getItem("lanes-arch") ?? root.dataset.arch);
    addEventListener("pageshow", (event) => event.persisted && chosen());
    addEventListener("storage", (event) => event.key === "lanes-arch" && event.newValue && chosen());
  }
}

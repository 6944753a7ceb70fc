// Keyboard shortcuts, told by data-key, paper, and a screen that stays awake at the table.
(() => {
  "use strict";
  let before = "";
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.closest("input, select, textarea")) return;
    const named = `[data-key="${CSS.escape(before + key)}"]`;
    const goal = document.querySelector(key === "/" ? "[type=search]" : named);
    before = key === "g" ? "g " : "";
    if (!goal) return;
    event.preventDefault();
    if (goal.popover) goal.togglePopover();
    else { goal.focus(); goal.click(); }
  });
  addEventListener("click", ({ target }) => {
    if (target.closest("[data-print]")) print();
    if (target.closest("[data-back]")) history.back();
  });

  const wake = () => {
    if (document.hidden || !document.querySelector("[data-key='g t'][aria-current]")) return;
    navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", wake);
  wake();
})();

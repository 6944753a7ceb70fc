// Filters the rules while one types, as the server does (missions/views_rules.py).
(() => {
  "use strict";
  const form = document.getElementById("find");
  const fold = (text) =>
    ` ${text}`.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");
  const parts = [...document.querySelectorAll(".part-of-rules")].map((part) => [
    part,
    [...part.querySelectorAll(".rule")].map((rule) => [
      rule,
      fold([part.firstElementChild.textContent, rule.firstElementChild.textContent, rule.dataset.also].join(" ")),
    ]),
  ]);

  const filter = () => {
    const words = fold(form.q.value).split(" ").filter(Boolean);
    let found = 0;
    for (const [part, rules] of parts) {
      part.hidden = true;
      for (const [rule, text] of rules) {
        rule.hidden = !words.every((word) => text.includes(` ${word}`));
        if (!rule.hidden) { found += 1; part.hidden = false; }
      }
    }
    document.getElementById("found").textContent = found;
    document.getElementById("nothing").hidden = found > 0;
    document.getElementById("parts").hidden = words.length > 0;
  };

  form.addEventListener("input", () => { filter(); form.scrollIntoView(); });
  form.addEventListener("submit", (event) => { event.preventDefault(); form.q.blur(); });
  // A link to a rule that the search hides shows all of them again.
  document.addEventListener("click", ({ target }) => {
    if (target.closest("a[href*='rules/#']")) { form.q.value = ""; filter(); }
  });
  filter();
})();

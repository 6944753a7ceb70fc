// Where each tap counts, a second quick one is another change: it gets its own key.
document.addEventListener("htmx:config:request", ({ target, detail }) => {
  if (!target.matches("[data-each-tap]")) return;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  detail.ctx.request.body.set("key", key);
});

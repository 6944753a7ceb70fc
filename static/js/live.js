// Renews the page when its choir changes, but for forms in which one has typed.
(() => {
  "use strict";
  const main = document.getElementById("main");
  const shown = main.dataset;
  if (!shown.feed) return;
  const touched = new WeakSet();
  const skip = "hx-morph-skip";
  const forms = (page) => [...page.querySelectorAll("form, [data-hold]")];
  const key = (form) => form.id + form.getAttribute("action");
  let source, heard, busy, wanted = 0, failures = 0, ticks = 0;

  const renew = async (always) => {
    if (busy || document.hidden || document.querySelector(".htmx-request")) return;
    if (!always && wanted <= shown.revision) return;
    busy = true;
    try {
      const answer = await fetch(location.href, {
        headers: { "HX-Request": "true", "HX-Live": shown.revision },
        signal: AbortSignal.timeout(9000),
      });
      const away = answer.headers.get("HX-Redirect");
      if (away) location = away;
      else if (answer.ok && !answer.redirected) await show(await answer.text());
      else if (answer.status < 500) wanted = 0;
    } catch { /* the next tick tries again */ }
    busy = false;
  };

  const show = async (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const { revision } = page.getElementById("main").dataset;
    if (+revision < shown.revision) return;
    const kept = forms(main).filter((form) => touched.has(form));
    const there = forms(page).map(key);
    const wait = main.querySelector("[role=alert]") || kept.some((form) => !there.includes(key(form)));
    for (const form of kept) form.setAttribute(skip, "");
    const selectOOB = wait ? "" : "[data-live]:outerMorph";
    await htmx.swap({ text, selectOOB, sourceElement: main, swap: "none" });
    for (const form of kept) form.removeAttribute(skip);
    shown.revision = revision;
  };

  const open = () => {
    source?.close();
    if (document.hidden) return;
    heard = Date.now();
    source = new EventSource(shown.feed);
    source.onmessage = ({ data }) => { heard = Date.now(); failures = 0; wanted = +data; renew(); };
    source.onerror = () => { failures += 1; if (source.readyState > 1) renew(true); };
  };

  setInterval(() => {
    if (source?.readyState > 1 || Date.now() - heard > 40000) open();
    renew(failures > 2 && ++ticks % 5 === 0);
  }, 1000);
  for (const name of ["pageshow", "online", "visibilitychange"]) addEventListener(name, open);
  const touch = (one) => { if (one) touched.add(one); };
  addEventListener("input", ({ target }) => touch(target.closest("[data-hold]") || target.form));
  addEventListener("click", ({ target }) => touch(target.closest("[data-hold] button")?.closest("[data-hold]")));
})();

// Announcements, toasts and the offline banner.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const toasts = byId("toasts");
  const announcer = byId("announcer");
  const offline = byId("offline");
  const seen = new WeakMap();

  const say = (text) => {
    announcer.textContent = "";
    setTimeout(() => { announcer.textContent = text; }, 100);
  };

  const close = (toast) => {
    if (toast.matches(":hover, :focus-within")) wait(toast, 2000);
    else toast.remove();
  };
  const wait = (toast, time) => {
    clearTimeout(seen.get(toast)?.timer);
    seen.set(toast, { as: toast.innerHTML, timer: setTimeout(close, time, toast) });
  };

  // A morph may turn an old toast into a new one in place.
  const greet = () => {
    const fresh = [...toasts.querySelectorAll(".toast")].filter((toast) => seen.get(toast)?.as !== toast.innerHTML);
    if (!fresh.length) return;
    for (const toast of fresh) wait(toast, 10000);
    say(fresh.map((toast) => toast.querySelector("span").textContent.trim()).join(" "));
  };
  const watched = { childList: true, subtree: true, characterData: true, attributes: true };
  new MutationObserver(greet).observe(toasts, watched);
  greet();

  const failed = (number) => {
    toasts.replaceChildren(byId("toast-failed").content.cloneNode(true), byId("news"));
    if (number) toasts.querySelector("span").append(` (${number})`);
  };
  const on = (name, act) => document.addEventListener(name, act);
  on("htmx:response:error", ({ detail: { ctx } }) => {
    if (ctx.response.status > 499) failed(ctx.response.headers.get("X-Request-ID"));
  });
  on("htmx:error", ({ detail }) => {
    if (!detail.ctx || detail.ctx.response) return;
    offline.hidden = false;
    failed();
  });
  // What was saved and stays on the page is empty for the next one.
  on("htmx:after:request", ({ detail: { ctx } }) => {
    offline.hidden = true;
    const form = ctx.sourceElement;
    if (ctx.response?.status < 400 && form.matches("form[hx-target=body]")) form.reset();
  });
  addEventListener("offline", () => { offline.hidden = false; say(offline.textContent.trim()); });
  addEventListener("online", () => { offline.hidden = true; });
})();

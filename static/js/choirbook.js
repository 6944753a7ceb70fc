// Announcements, toasts and the offline banner. Every page works without it.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const toasts = byId("toasts");
  const announcer = byId("announcer");
  const offline = byId("offline");

  const say = (text) => {
    announcer.textContent = "";
    setTimeout(() => { announcer.textContent = text; }, 100);
  };

  const close = (toast) => {
    if (toast.matches(":hover, :focus-within")) setTimeout(close, 2000, toast);
    else toast.remove();
  };

  const greet = (nodes) => {
    const fresh = [...nodes].filter((node) => node.matches?.(".toast"));
    if (!fresh.length) return;
    say(fresh.map((toast) => toast.querySelector("span").textContent.trim()).join(" "));
    for (const toast of fresh) setTimeout(close, 10000, toast);
  };

  const failed = () => {
    toasts.replaceChildren(byId("toast-failed").content.cloneNode(true));
  };

  new MutationObserver((changes) => {
    for (const change of changes) greet(change.addedNodes);
  }).observe(toasts, { childList: true });
  greet(toasts.children);

  document.addEventListener("htmx:response:error", (event) => {
    if (event.detail.ctx.response.status >= 500) failed();
  });
  document.addEventListener("htmx:error", (event) => {
    if (!event.detail.ctx || event.detail.ctx.response) return;
    offline.hidden = false;
    failed();
  });
  document.addEventListener("htmx:after:request", () => { offline.hidden = true; });
  addEventListener("offline", () => { offline.hidden = false; say(offline.textContent.trim()); });
  addEventListener("online", () => { offline.hidden = true; });
})();

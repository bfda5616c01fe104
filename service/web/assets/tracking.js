// Replaces what changes on the page by what the server sends. Without this script the page reloads itself.
"use strict";
(() => {
  const live = document.getElementById("live");
  const path = live && live.dataset.events;
  if (!path || !window.EventSource) return;
  const source = new EventSource(path);
  source.addEventListener("page", (event) => {
    live.innerHTML = event.data;
  });
  // Once it is done there is feedback to give, which a page of its own shows best.
  source.addEventListener("done", () => {
    source.close();
    if (live.dataset.done === "false") location.reload();
  });
  // A stream that was refused does not come back by itself.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 30000);
  });
})();

// Updates the live part of the page with what the server sends. Without this script the page reloads itself.
"use strict";
(() => {
  const live = document.getElementById("live");
  const path = live && live.dataset.events;
  if (!path || !window.EventSource) return;
  const source = new EventSource(path);
  source.addEventListener("page", (event) => {
    live.innerHTML = event.data;
  });
  // When the task is done, reload the page to show the feedback form.
  source.addEventListener("done", () => {
    source.close();
    if (live.dataset.done === "false") location.reload();
  });
  // The browser does not reopen a stream that was refused.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 30000);
  });
})();

// Pictures of a thread, opened large one after the other.

import { announce, button, byId, element } from "/dom.js";

const dialog = byId("large");
const picture = byId("large-picture");

export function pictureNode(file) {
  const image = element("img", { src: file.url, alt: file.title || "Picture", loading: "lazy" });
  const thumb = button(image, () => open(thumb), { class: "thumb", title: "Open large" });
  thumb.dataset.title = file.title;
  thumb.dataset.name = file.name;
  return element("figure", { class: "picture" }, thumb);
}

const all = () => [...document.querySelectorAll(".thumb")];
let shown = null;

function open(thumb) {
  shown = thumb;
  const { title, name } = thumb.dataset;
  const url = thumb.firstElementChild.getAttribute("src");
  picture.src = url;
  picture.alt = title || "Picture";
  byId("large-title").textContent = title;
  byId("large-save").href = url;
  byId("large-save").download = name;
  const thumbs = all();
  byId("large-before").hidden = byId("large-next").hidden = thumbs.length < 2;
  byId("large-before").disabled = thumb === thumbs[0];
  byId("large-next").disabled = thumb === thumbs.at(-1);
  asItIs(false);
  if (!dialog.open) dialog.showModal();
}

function step(by) {
  const thumbs = all();
  const next = thumbs[thumbs.indexOf(shown) + by];
  if (!next) return;
  open(next);
  announce(`Picture ${thumbs.indexOf(next) + 1} of ${thumbs.length}: ${next.dataset.title}`);
}

// In its own size, with scroll bars, or so that all of it can be seen.
function asItIs(whole) {
  dialog.classList.toggle("as-it-is", whole);
  byId("large-size").setAttribute("aria-pressed", String(whole));
}

const isWhole = () => dialog.classList.contains("as-it-is");

byId("large-size").addEventListener("click", () => asItIs(!isWhole()));
picture.addEventListener("click", () => asItIs(!isWhole()));
byId("large-before").addEventListener("click", () => step(-1));
byId("large-next").addEventListener("click", () => step(1));
byId("large-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
dialog.addEventListener("keydown", (event) => {
  // In its own size the arrows scroll.
  if (isWhole() || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  event.preventDefault();
  step(event.key === "ArrowLeft" ? -1 : 1);
});
dialog.addEventListener("close", () => shown?.focus());

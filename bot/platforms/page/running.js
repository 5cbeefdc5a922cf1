// What is worked on in a thread, for how long already, and how to stop it.

import { button, byId, element } from "/dom.js";

const list = byId("working");
let ticking = 0;

// ``stop``: given a turn; null where nothing can be stopped.
export function showRunning(running, stop) {
  clearInterval(ticking);
  list.hidden = !running.length;
  const since = Date.now();
  const focused = list.contains(document.activeElement);
  const seconds = running.map(() => element("span", { class: "seconds", "aria-hidden": "true" }));
  list.replaceChildren(
    ...running.map((each, number) => {
      const line = element("li", {}, element("span", {}, each.note), seconds[number]);
      if (stop && each.turn) {
        const press = button("Stop", () => {
          press.disabled = true;
          stop(each.turn);
        }, { class: "small", "aria-label": `Stop: ${each.note}` });
        line.append(press);
      }
      return line;
    }),
  );
  if (focused) list.querySelector("button")?.focus();
  const tick = () => {
    const passed = (Date.now() - since) / 1000;
    running.forEach((each, number) => {
      const whole = Math.round((each.seconds || 0) + passed);
      seconds[number].textContent = each.seconds && whole >= 1 ? `${whole} s` : "";
    });
  };
  tick();
  if (running.length) ticking = setInterval(tick, 1000);
}

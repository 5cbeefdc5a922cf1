// Logging in by a token, and out.

import { call, wordsOf } from "/api.js";
import { byId } from "/dom.js";

const form = byId("login");
const token = byId("token");
const wrong = byId("login-wrong");

// Who looks at the page: whether one has to log in, and who has.
export async function session() {
  const told = await call("/api/session");
  byId("person").textContent = told.person || "";
  byId("account").hidden = !told.person;
  return { needed: told.login && !told.person, ...told };
}

export function showLogin(words = "") {
  document.body.classList.add("locked");
  form.hidden = false;
  byId("account").hidden = true;
  wrong.textContent = words;
  wrong.hidden = !words;
  token.focus();
}

function hideLogin() {
  document.body.classList.remove("locked");
  form.hidden = true;
  token.value = "";
}

// ``entered`` is called after every log-in.
export function onLogin(entered) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await call("/api/login", { token: token.value });
      hideLogin();
      await entered();
    } catch (error) {
      showLogin(wordsOf(error));
      token.select();
    }
  });
  byId("logout").addEventListener("click", async () => {
    try {
      await call("/api/logout", {});
    } finally {
      // Of what one person asked, nothing is left for the next at the same screen.
      history.replaceState(null, "", location.pathname);
      location.reload();
    }
  });
}

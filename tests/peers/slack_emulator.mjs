// Starts the Slack of the package "emulate", and has it post events to EVENTS_URL: the package
// registers no address for events by itself. Rests on how version 0.12.2 is laid out.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const dist = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "node_modules/emulate/dist");
const load = (file) => import(pathToFileURL(join(dist, file)).href);
const holdsSlack = (file) => readFileSync(join(dist, file), "utf8").includes('"/api/files.getUploadURLExternal"');
const { slackPlugin } = await load(readdirSync(dist).find((file) => file.endsWith(".js") && holdsSlack(file)));
const { createEmulator } = await load("api.js");

const { PORT, EVENTS_URL, SEED } = process.env;
const register = slackPlugin.register;
slackPlugin.register = (app, store, webhooks, ...rest) => {
  register(app, store, webhooks, ...rest);
  webhooks.register({ url: EVENTS_URL, events: ["*"], active: true, owner: "slack" });
};
const emulator = await createEmulator({ service: "slack", port: Number(PORT), seed: JSON.parse(SEED) });
process.on("SIGTERM", () => emulator.close().then(() => process.exit(0)));
console.log("ready");

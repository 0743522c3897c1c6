// Opens every screen of the console in headless Chromium: with data, empty, failing, and with a key without scopes.
// Stores hostile strings in every field that a screen shows, and checks that none runs and that nothing is fetched:
//   node console.ts URL ADMIN_TOKEN SCREENSHOTS
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { launchChromium } from "./chromium.ts";
import { walkConsent } from "./consent.ts";
import { walkConversations, walkGaps, walkMessages, walkSelection, walkTranscript } from "./conversations.ts";
import { walkDataRules } from "./data-rules.ts";
import { openEveryDialog } from "./dialogs.ts";
import { walkAccount, walkActivity, walkShortcuts } from "./everyday.ts";
import { signInByLink, walkEmptyStore } from "./first-steps.ts";
import { HOSTILE } from "./hostile.ts";
import { walkForgetting, walkMemories } from "./memories.ts";
import { walkOrganizations } from "./organizations.ts";
import { createSite } from "./pages.ts";
import { takePictures } from "./pictures.ts";
import { walkUnderPath } from "./prefix.ts";
import { walkReceipts, walkTrace } from "./recalls.ts";
import {
  openEveryScreen,
  openFailing,
  openForbidden,
  readHostileMessages,
  scrollLongConversation,
} from "./screens.ts";
import { walkContext, walkEntities, walkFilters, walkSearches, walkUser } from "./searching.ts";
import { seed } from "./seed.ts";
import { walkConnect, walkSessions } from "./sessions.ts";
import { measureFirstPaint, measureSearch } from "./speed.ts";
import { walkSummaries } from "./summaries.ts";
import { walkWebhooks } from "./webhooks.ts";

const [url, adminToken, screenshots] = process.argv.slice(2);
assert.ok(url && adminToken && screenshots, "Usage: node console.ts URL ADMIN_TOKEN SCREENSHOTS");
mkdirSync(screenshots, { recursive: true });
const browser = await launchChromium();
const site = createSite(browser, url, screenshots);
/** Secret of the first key of a new organization. */
const organization = async (name: string): Promise<string> => {
  const { key } = await site.client(adminToken).organizations.create({ name: `console, ${name}` });
  return key.secret;
};

try {
  await measureFirstPaint(site);
  await takePictures(site, await organization("pictures"));
  const empty = await organization("empty");
  await signInByLink(site, empty);
  await walkSessions(site, await organization("sessions"));
  await walkUnderPath(site, await organization("under a path"));
  await walkEmptyStore(site, empty);
  const key = await organization("seeded");
  const seeded = await seed(site, key);
  await openEveryScreen(site, key, seeded);
  await readHostileMessages(site, key, seeded);
  await measureSearch(site, key);
  await scrollLongConversation(site, key, seeded);
  await openForbidden(site, key, seeded);
  await openFailing(site, key, seeded);
  await walkConnect(site, await organization("connect"));
  await walkConsent(site, await organization("consent"));
  await walkShortcuts(site, await organization("shortcuts"));
  await walkAccount(site, await organization("account"));
  await walkActivity(site, await organization("activity"));
  await openEveryDialog(site, await organization("dialogs"));
  await walkConversations(site, await organization("live"));
  await walkMessages(site, await organization("messages"));
  await walkTranscript(site, await organization("transcript"));
  await walkSelection(site, await organization("selection"));
  await walkGaps(site, await organization("gaps"));
  await walkSearches(site, await organization("searches"));
  await walkFilters(site, await organization("filters"));
  await walkMemories(site, await organization("memories"));
  await walkForgetting(site, await organization("forgetting"));
  await walkUser(site, await organization("user"));
  await walkContext(site, await organization("context"));
  await walkEntities(site, await organization("entities"));
  await walkReceipts(site, await organization("receipts"));
  await walkTrace(site, await organization("trace"));
  await walkSummaries(site, await organization("summaries"));
  await walkDataRules(site, await organization("data rules"));
  await walkOrganizations(site, key, adminToken);
  await walkWebhooks(site, await organization("webhooks"));
  console.log(
    `Every screen of the console works; ${HOSTILE.length} hostile strings stay text; see ${screenshots}`,
  );
} finally {
  await browser.close();
}

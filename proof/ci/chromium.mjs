import { createRequire } from "node:module";
import { join } from "node:path";

/** Starts Debian's headless Chromium without requests of its own, with playwright-core of the working directory. */
export function launchChromium() {
  const { chromium } = createRequire(join(process.cwd(), "index.js"))("playwright-core");
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
}

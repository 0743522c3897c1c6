// The command of `npm run bench:cells-cost`: what do 100,000 organizations in cells of their own cost, and which limit
// comes next? Calculated from prices and from what was measured for a message and a search.
import { formatBill, formatLimits } from "./cells/bill-report.ts";
import { runCommand } from "./command/command.ts";
import { readOptions } from "./command/options.ts";

await runCommand("Usage: npm run bench:cells-cost", async ({ argv, print }) => {
  readOptions(argv, {});
  print(`${formatBill()}\n\n${formatLimits()}`);
  return 0;
});

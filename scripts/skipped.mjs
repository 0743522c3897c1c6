// A vitest reporter that fails the run when a test is skipped without a reason: `context.skip("why")`.

/** Whether the tests are a selection, by name or by `test.only`, whose other tests are skipped for that. */
const isSelection = (modules) =>
  process.argv.some((arg) => /^(-t|--testNamePattern)/.test(arg)) ||
  modules.some((module) => [...module.children.allTests()].some(({ options }) => options.mode === "only"));

export default class {
  onTestRunEnd(modules) {
    if (isSelection(modules)) return;
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    const unexplained = skipped.filter((test) => !test.result().note);
    for (const test of skipped.filter((each) => each.result().note))
      console.log(`Skipped: ${test.fullName}: ${test.result().note}`);
    if (unexplained.length > 0)
      throw new Error(
        `Skipped without a reason:\n  ${unexplained.map(({ fullName }) => fullName).join("\n  ")}`,
      );
  }
}

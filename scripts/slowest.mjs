// A vitest reporter that prints the ten files whose tests took longest.
const SHOWN = 10;

export default class {
  onTestRunEnd(modules) {
    const times = modules.map((module) => {
      const { duration } = module.diagnostic();
      return { file: module.relativeModuleId, project: module.project.name, ms: duration };
    });
    times.sort((a, b) => b.ms - a.ms);
    console.log("\nSlowest files:");
    for (const { file, project, ms } of times.slice(0, SHOWN))
      console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${project}  ${file}`);
  }
}

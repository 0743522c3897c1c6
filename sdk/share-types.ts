// A program, run after the build: modules take the types that are the same for `import` and `require` from those of
// `require`, as they may. The contract's types, by far the most of the package, are in it once.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

for (const file of globSync("dist/**/*.d.mts", { cwd: import.meta.dirname })) {
  const module = join(import.meta.dirname, file);
  const twin = module.replace(/\.d\.mts$/, ".d.cts");
  if (!existsSync(twin) || readFileSync(twin, "utf8") !== readFileSync(module, "utf8")) continue;
  writeFileSync(module, `export * from "./${basename(twin, ".d.cts")}.cjs";\n`);
}

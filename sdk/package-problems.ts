import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";

/** What is wrong with a packed package for some who install it. */
export interface PackageProblems {
  /** Of attw: ways of resolving it, as bundlers, CommonJS and modules do, in which its types or itself are not found. */
  types: string[];
  /** Of publint's strictest rules. */
  packaging: string[];
}

/** Look at a package as it would be installed. @param tarball Of `npm pack`, gzipped. */
export async function findPackageProblems(tarball: Buffer): Promise<PackageProblems> {
  const types = await checkPackage(createPackageFromTarballData(Uint8Array.from(tarball)));
  return {
    types: types.types ? types.problems.map((problem) => JSON.stringify(problem)) : ["there are none"],
    packaging: await findPackagingProblems(tarball),
  };
}

/** What publint's strictest rules find in a package, be it a program without types. @param tarball As above. */
export async function findPackagingProblems(tarball: Buffer): Promise<string[]> {
  const { messages } = await publint({
    pack: { tarball: Uint8Array.from(tarball).buffer },
    level: "suggestion",
    strict: true,
  });
  return messages.map(({ code, path }) => `${code} at ${path.join(".")}`);
}

// How changesets become a changelog for readers: what each says, without commits and lists of packages.

/** @type {import("@changesets/types").ChangelogFunctions} */
export default {
  getReleaseLine: async ({ summary }) => {
    const [first, ...rest] = summary.trim().split("\n");
    return [`- **${first}**`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
  },
  getDependencyReleaseLine: async () => "",
};

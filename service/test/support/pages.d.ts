/** A page of the site, as it is written. */
declare module "*.md?raw" {
  const markdown: string;
  export default markdown;
}

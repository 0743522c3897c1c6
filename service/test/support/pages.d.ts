/** A page of the site as Markdown source. */
declare module "*.md?raw" {
  const markdown: string;
  export default markdown;
}

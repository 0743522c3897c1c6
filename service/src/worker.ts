import { createEntry } from "./entry.ts";

const { handlers, Background } = createEntry();

export { Background };
export default handlers;

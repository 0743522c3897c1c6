import { createEntry } from "./entry.ts";

const { handlers, Background, Hub } = createEntry();

export { Background, Hub };
export default handlers;

import { createEntry } from "./entry.ts";

const { handlers, Background, Cell, Hub } = createEntry();

export { Background, Cell, Hub };
export default handlers;

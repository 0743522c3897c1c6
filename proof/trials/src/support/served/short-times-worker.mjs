// The product's Worker with shorter times of background work. JavaScript, because the types of Workers and of Node
// conflict in one program.
import { createEntry } from "../../../../../service/src/entry.ts";
import { SERVICE_LIMITS } from "../../../../../service/src/limits.ts";
import { SHORT_TIMES } from "./times.ts";

const { handlers, Background, Cell, Hub } = createEntry({ ...SERVICE_LIMITS, ...SHORT_TIMES });

export { Background, Cell, Hub };
export default handlers;

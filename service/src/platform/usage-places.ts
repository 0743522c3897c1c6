/** What a count belongs to, besides its key. Both are names from the code, never a text of the caller. */
export interface UsagePlace {
  /** Operation id, or the name of a route that is in no contract; null for work that no request started. */
  operation: string | null;
  /** MCP tool that made the request. */
  tool: string | null;
}

export const NO_PLACE: UsagePlace = { operation: null, tool: null };

/** The name of the counts in the database: the operation, then a space and the tool if there is one. */
export const toPlaceName = ({ operation, tool }: UsagePlace = NO_PLACE): string =>
  tool === null ? (operation ?? "") : `${operation ?? ""} ${tool}`;

/**
 * Version of the rules that decide an answer: how a search ranks, and how results and contexts are cut to a budget. Raise
 * it with every change to them, so that a replay can tell the change from one of the data.
 */
export const RULES_VERSION = 1;

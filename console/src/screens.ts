import type { LoadScreen } from "./lazy.tsx";
import { MESSAGES } from "./messages.ts";

const { places: labels } = MESSAGES.navigation;

/** The navigation, in groups. `name` is the first segment of the path. */
export const PLACES: readonly { title: string; places: readonly { name: string; label: string }[] }[] = [
  { title: "", places: placesOf("", "search", "queries", "context") },
  { title: MESSAGES.navigation.data, places: placesOf("conversations", "memories", "entities", "users") },
  { title: MESSAGES.navigation.activity, places: placesOf("events", "operations", "usage", "audit") },
  { title: MESSAGES.navigation.access, places: placesOf("keys", "webhooks", "connect") },
];

/** The navigation of the operator: the admin token reads no data of an organization. */
export const OPERATOR_PLACES: typeof PLACES = [{ title: "", places: placesOf("organizations") }];

function placesOf(...names: (keyof typeof labels)[]) {
  return names.map((name) => ({ name, label: labels[name] }));
}

/** Each screen with its script, by the first segment of the path, and of a single item after `/`. */
const SCREENS: Record<string, LoadScreen> = {
  "": () => import("./screens/overview.tsx"),
  search: () => import("./screens/search.tsx"),
  conversations: () => import("./screens/conversations.tsx"),
  "conversations/": () => import("./screens/conversation.tsx"),
  memories: () => import("./screens/memories.tsx"),
  "memories/": () => import("./screens/memory.tsx"),
  context: () => import("./screens/context.tsx"),
  queries: () => import("./screens/queries.tsx"),
  entities: () => import("./screens/entities.tsx"),
  "entities/": () => import("./screens/entity.tsx"),
  users: () => import("./screens/users.tsx"),
  events: () => import("./screens/events.tsx"),
  operations: () => import("./screens/operations.tsx"),
  "operations/": () => import("./screens/operation.tsx"),
  usage: () => import("./screens/usage.tsx"),
  audit: () => import("./screens/audit.tsx"),
  keys: () => import("./screens/keys.tsx"),
  webhooks: () => import("./screens/webhooks.tsx"),
  "webhooks/": () => import("./screens/webhook.tsx"),
  organizations: () => import("./screens/organizations.tsx"),
  connect: () => import("./screens/connect.tsx"),
};

const loadUnknown: LoadScreen = () => import("./screens/unknown.tsx");

/** The screen of a path. An item has a screen of its own, so `name` has the item's id, too. */
export function screenOf([place = "", id]: readonly string[]): { name: string; load: LoadScreen } {
  const name = id === undefined ? place : `${place}/`;
  const load = Object.hasOwn(SCREENS, name) ? SCREENS[name] : undefined;
  return { name: `${name}${id ?? ""}`, load: load ?? loadUnknown };
}

import {
  Activity,
  Archive,
  BookOpen,
  Brain,
  Building2,
  ChartColumn,
  Database,
  Hourglass,
  type IconNode,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  MessagesSquare,
  Plug,
  ReceiptText,
  Scale,
  ScrollText,
  Search,
  Settings,
  ShieldCheck,
  Tags,
  Tombstone,
  UserRoundPlus,
  Users,
  Webhook,
} from "lucide";
import type { LoadScreen } from "./lazy.tsx";
import { MESSAGES } from "./messages.ts";

const { places: labels } = MESSAGES.navigation;

/** A place of the navigation. */
export interface Place {
  /** The first segment of the path. */
  name: keyof typeof labels;
  label: string;
  icon: IconNode;
  /** The key that goes there, after `g`. */
  letter: string;
}

const MARKS: Record<Place["name"], [letter: string, icon: IconNode]> = {
  "": ["o", LayoutDashboard],
  search: ["s", Search],
  evaluations: ["q", ListChecks],
  context: ["x", BookOpen],
  receipts: ["l", ReceiptText],
  conversations: ["c", MessagesSquare],
  memories: ["m", Brain],
  entities: ["n", Tags],
  users: ["u", Users],
  events: ["e", Activity],
  operations: ["i", Database],
  usage: ["r", ChartColumn],
  audit: ["a", ScrollText],
  tombstones: ["d", Tombstone],
  retention: ["f", Hourglass],
  holds: ["h", Scale],
  archives: ["v", Archive],
  keys: ["k", KeyRound],
  grants: ["y", ShieldCheck],
  members: ["b", UserRoundPlus],
  webhooks: ["w", Webhook],
  connect: ["t", Plug],
  settings: ["p", Settings],
  organizations: ["o", Building2],
};

/** The navigation, in groups. */
export const PLACES: readonly { title: string; places: readonly Place[] }[] = [
  { title: "", places: placesOf("", "search", "evaluations", "context", "receipts") },
  { title: MESSAGES.navigation.data, places: placesOf("conversations", "memories", "entities", "users") },
  {
    title: MESSAGES.navigation.activity,
    places: placesOf("events", "operations", "usage", "audit", "tombstones"),
  },
  { title: MESSAGES.navigation.rules, places: placesOf("retention", "holds", "archives") },
  {
    title: MESSAGES.navigation.access,
    places: placesOf("members", "keys", "grants", "webhooks", "connect", "settings"),
  },
];

/** The navigation of the operator: the admin token reads no data of an organization. */
export const OPERATOR_PLACES: typeof PLACES = [{ title: "", places: placesOf("organizations") }];

function placesOf(...names: Place["name"][]): Place[] {
  return names.map((name) => {
    const [letter, icon] = MARKS[name];
    return { name, label: labels[name], icon, letter };
  });
}

/** Path of a place, for links. */
export const pathOf = ({ name }: Place): string[] => (name === "" ? [] : [name]);

/** Each screen with its script, by the first segment of the path, and of a single item after `/`. */
const SCREENS: Record<string, LoadScreen> = {
  "": () => import("./screens/overview.tsx"),
  search: () => import("./screens/search.tsx"),
  conversations: () => import("./screens/conversations.tsx"),
  "conversations/": () => import("./screens/conversation.tsx"),
  "messages/": () => import("./screens/message.tsx"),
  memories: () => import("./screens/memories.tsx"),
  "memories/": () => import("./screens/memory.tsx"),
  context: () => import("./screens/context.tsx"),
  evaluations: () => import("./screens/evaluations.tsx"),
  receipts: () => import("./screens/recalls.tsx"),
  "receipts/": () => import("./screens/recall.tsx"),
  entities: () => import("./screens/entities.tsx"),
  "entities/": () => import("./screens/entity.tsx"),
  users: () => import("./screens/users.tsx"),
  "users/": () => import("./screens/user.tsx"),
  events: () => import("./screens/events.tsx"),
  operations: () => import("./screens/operations.tsx"),
  "operations/": () => import("./screens/operation.tsx"),
  usage: () => import("./screens/usage.tsx"),
  "trace/": () => import("./screens/trace.tsx"),
  audit: () => import("./screens/audit.tsx"),
  tombstones: () => import("./screens/tombstones.tsx"),
  retention: () => import("./screens/retention.tsx"),
  holds: () => import("./screens/holds.tsx"),
  archives: () => import("./screens/archives.tsx"),
  grants: () => import("./screens/grants.tsx"),
  members: () => import("./screens/members.tsx"),
  keys: () => import("./screens/keys.tsx"),
  webhooks: () => import("./screens/webhooks.tsx"),
  "webhooks/": () => import("./screens/webhook.tsx"),
  organizations: () => import("./screens/organizations.tsx"),
  connect: () => import("./screens/connect.tsx"),
  settings: () => import("./screens/settings.tsx"),
};

const loadUnknown: LoadScreen = () => import("./screens/unknown.tsx");

/** The screen of a path. An item has a screen of its own, so `name` has the item's id, too. */
export function screenOf([place = "", id]: readonly string[]): { name: string; load: LoadScreen } {
  const name = id === undefined ? place : `${place}/`;
  const load = Object.hasOwn(SCREENS, name) ? SCREENS[name] : undefined;
  return { name: `${name}${id ?? ""}`, load: load ?? loadUnknown };
}

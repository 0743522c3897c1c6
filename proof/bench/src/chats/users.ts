/** The owner of stored conversations: a person, a team or a customer service. */
export interface User {
  id: string;
  /** Domains of small-talk topics. Frequent ones are listed twice. */
  domains: string[];
  /** Some of the user's conversations start with this prompt. */
  systemPrompt?: string;
  agentId?: string;
}

export const USERS: readonly User[] = [
  {
    id: "mara",
    domains: ["code", "code", "ops", "planning"],
    systemPrompt: "You are a senior engineer. Answer briefly, show code, say what you are unsure of.",
  },
  { id: "tariq", domains: ["code", "cooking", "travel", "home"] },
  {
    id: "priya",
    domains: ["data", "data", "code", "finance"],
    systemPrompt: "You help a data engineer. Prefer SQL. Today's tools: get_dag_run.",
  },
  {
    id: "nimbus",
    domains: ["ops", "ops", "code"],
    systemPrompt:
      "You are the operations assistant of Nimbus. Several people write in this channel. Never run a command that changes something without a yes.",
    agentId: "ops-bot",
  },
  {
    id: "veloria",
    domains: ["support-shop"],
    systemPrompt:
      "You are the customer service of Veloria Bikes. Be warm and short. Look orders up before you promise anything.",
    agentId: "shop-desk",
  },
  {
    id: "ledgerly",
    domains: ["support-books"],
    systemPrompt: "You are the help desk of Ledgerly, a bookkeeping service. Never give tax advice.",
    agentId: "help-desk",
  },
  { id: "elena", domains: ["home", "home", "cooking", "travel"] },
  { id: "jonas", domains: ["german", "travel", "home", "maker"] },
  { id: "yuki", domains: ["study", "study", "japanese", "cooking"] },
  { id: "ruth", domains: ["finance", "finance", "cooking", "home"] },
  { id: "harbor", domains: ["planning", "planning", "code"], agentId: "scribe" },
  { id: "sam", domains: ["maker", "maker", "code", "cooking"] },
];

export interface RefundRequest {
  customer: string;
  order: string;
  euros: number;
  daysSinceDelivery: number;
}

/** A memory as `recall_memory` returns it. */
export interface Note {
  id: string;
  content: string;
}

export interface Decision {
  verdict: "approve" | "deny" | "escalate";
  /** The notes that led to the decision; empty when no note decides. */
  because: Note[];
}

/** The model's next action: search its memory, or decide. */
export type Step = { recall: string[] } | Decision;

const POLICY = /^Policy: /;
const LIMITS = /up to (?<euros>\d+) euros .* (?<days>\d+) days/;

/**
 * Decides the next action for a refund request from a script, so that the example always runs the same way.
 *
 * A real agent calls a language model here and offers it `recall_memory` as a tool. The script only knows
 * which patterns to look for. Customers, limits and days come from the notes.
 *
 * @param recalled The notes found; null before the search.
 */
export function decide(request: RefundRequest, recalled: Note[] | null): Step {
  const { customer, order, euros, daysSinceDelivery } = request;
  if (recalled === null) return { recall: [customer, `order ${order}`, "refund policy"] };
  const ofCustomer = new RegExp(`\\b${customer}\\b`);
  const ofOrder = new RegExp(`\\border ${order}\\b`);

  // The first reason whose notes were all recalled decides.
  const reasons: { verdict: Decision["verdict"]; notes: RegExp[][] }[] = [
    { verdict: "deny", notes: [[ofCustomer, ofOrder, /was refunded/]] },
    { verdict: "deny", notes: [[ofCustomer, /fraud flag/]] },
    { verdict: "approve", notes: [[ofCustomer, ofOrder, /promised a refund/]] },
    {
      verdict: "deny",
      notes: [
        [ofCustomer, ofOrder, /downloaded/],
        [POLICY, /downloaded/],
      ],
    },
    {
      verdict: "escalate",
      notes: [
        [ofCustomer, /two refunds/],
        [POLICY, /third refund/],
      ],
    },
  ];
  for (const { verdict, notes } of reasons) {
    const because = notes.flatMap((patterns) => find(recalled, patterns) ?? []);
    if (because.length === notes.length) return { verdict, because };
  }

  const policy = find(recalled, [POLICY, LIMITS]);
  if (policy === undefined) return { verdict: "escalate", because: [] };
  const limits = LIMITS.exec(policy.content)?.groups ?? {};
  if (euros > Number(limits.euros)) return { verdict: "escalate", because: [policy] };
  return { verdict: daysSinceDelivery > Number(limits.days) ? "deny" : "approve", because: [policy] };
}

function find(notes: Note[], patterns: RegExp[]): Note | undefined {
  return notes.find(({ content }) => patterns.every((pattern) => pattern.test(content)));
}

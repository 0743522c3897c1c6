export interface RefundRequest {
  customer: string;
  order: string;
  euros: number;
  daysSinceDelivery: number;
}

/** What was remembered, as `recall_memory` answers it. */
export interface Note {
  id: string;
  content: string;
}

export interface Decision {
  verdict: "approve" | "deny" | "escalate";
  /** The notes that it follows from; empty where nothing that is known decides. */
  because: Note[];
}

/** What the model wants next: to look into its memory, or to decide. */
export type Step = { recall: string[] } | Decision;

const POLICY = /^Policy: /;
const LIMITS = /up to (?<euros>\d+) euros .* (?<days>\d+) days/;

/**
 * The next step on a refund that somebody asks for, from a script, so that the example always goes the same way.
 *
 * A real agent asks a language model here, which gets `recall_memory` as a tool. The script knows what to look for in
 * a note and nothing of customers, limits or days: these stand in the notes or nowhere.
 *
 * @param recalled What the memory gave; null before it was asked.
 */
export function decide(request: RefundRequest, recalled: Note[] | null): Step {
  const { customer, order, euros, daysSinceDelivery } = request;
  if (recalled === null) return { recall: [customer, `order ${order}`, "refund policy"] };
  const ofCustomer = new RegExp(`\\b${customer}\\b`);
  const ofOrder = new RegExp(`\\border ${order}\\b`);

  // The first of which every note was recalled decides.
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

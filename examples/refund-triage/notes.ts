import type { RefundRequest } from "./model.ts";

export const NOTES = {
  limits: "Policy: refund up to 100 euros at once, within 30 days of delivery. Above that a person decides.",
  downloads: "Policy: what was downloaded is not refunded.",
  often: "Policy: the third refund to one customer within 90 days goes to a person.",
  shipping: "Policy: shipping is refunded only where the whole order is.",
  maria: "C-1001 is Maria. A customer since 2019, and always paid on time.",
  jon: "C-1002 is Jon. He had two refunds in the last 90 days, of 40 and of 25 euros.",
  flagged: "C-1003 has a fraud flag: he charged back an order that had been refunded already.",
  promised: "C-1004 is Ana. On the phone Tom promised a refund for order 2077, late as it is.",
  downloaded: "C-1005 is Li. The video course of order 2090 was downloaded twice, on 3 November.",
  writes: "C-1004 wants to be written to and never called.",
};

export const REQUESTS = {
  maria: { customer: "C-1001", order: "2051", euros: 38, daysSinceDelivery: 6 },
  jon: { customer: "C-1002", order: "2060", euros: 20, daysSinceDelivery: 3 },
  flagged: { customer: "C-1003", order: "2063", euros: 55, daysSinceDelivery: 2 },
  promised: { customer: "C-1004", order: "2077", euros: 80, daysSinceDelivery: 45 },
  downloaded: { customer: "C-1005", order: "2090", euros: 15, daysSinceDelivery: 4 },
  unknown: { customer: "C-1006", order: "2094", euros: 240, daysSinceDelivery: 1 },
} satisfies Record<string, RefundRequest>;

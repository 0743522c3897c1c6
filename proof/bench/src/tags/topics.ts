/** How a topic's names are related, which determines how hard it is to see that they mean the same. */
export type Kinship = "listed" | "inflected" | "unlike";

export interface Topic {
  kinship: Kinship;
  /** Each is written as a tag. A tag with any of them names the topic. */
  names: string[];
  /** In order of capture, each with only one of the names. */
  notes: string[];
}

/** Written by hand, as people write notes: casually, with any of the names. */
export const TOPICS: Topic[] = [
  // Abbreviations that are in a list of the built-in text model.
  {
    kinship: "listed",
    names: ["kubernetes", "k8s", "kube"],
    notes: [
      "The k8s cluster in Frankfurt runs out of memory whenever the nightly export starts.",
      "Kubernetes nodes were replaced on Tuesday; the ingress kept its address.",
      "Mira gave me a kube dashboard with read rights for the payment namespace.",
      "We decided to stay on the managed Kubernetes offering until the contract ends in March.",
    ],
  },
  {
    kinship: "listed",
    names: ["postgres", "postgresql", "psql"],
    notes: [
      "PostgreSQL 17 halves the vacuum on the orders table, says Tomas.",
      "Connect with psql through the bastion; the port is 6432 because of the pooler.",
      "Postgres replication lagged by nine minutes during the import.",
      "The PostgreSQL extension for vectors is not allowed on the shared host.",
    ],
  },
  {
    kinship: "listed",
    names: ["authentication", "auth", "authn"],
    notes: [
      "Auth tokens of the partner portal live for fifteen minutes only.",
      "Authentication failed for every tenant whose clock was ahead by a minute.",
      "The auth middleware must run before the rate limiter.",
      "Passkeys come to our authentication screen in the spring.",
    ],
  },
  {
    kinship: "listed",
    names: ["documentation", "docs", "doc"],
    notes: [
      "The docs say nothing about the retry header, and Lea asked for it.",
      "Documentation for the importer is owned by Ravi from now on.",
      "Screenshots in the docs still show the old logo.",
      "A customer praised the documentation of webhooks.",
    ],
  },
  {
    kinship: "listed",
    names: ["terraform", "tf"],
    notes: [
      "Terraform state moved into the bucket of the platform team.",
      "The tf module for queues wants a provider version above five.",
      "Nobody may run Terraform against production from a laptop.",
      "A tf plan shows forty changes since someone edited the firewall by hand.",
    ],
  },
  {
    kinship: "listed",
    names: ["javascript", "js"],
    notes: [
      "The checkout loads 900 KB of JavaScript before anything can be clicked.",
      "A js error on old iPads keeps the calendar blank.",
      "JavaScript modules of the widget are served with the wrong cache header.",
      "Our js bundle shrank by a third without the date library.",
    ],
  },
  {
    kinship: "listed",
    names: ["machine-learning", "ml"],
    notes: [
      "Machine learning for the fraud score is retrained on the first of each month.",
      "The ml pipeline reads last year's chargebacks.",
      "Henrik teaches machine learning at the evening school.",
      "An ml engineer joins us in August.",
    ],
  },
  {
    kinship: "listed",
    names: ["infrastructure", "infra"],
    notes: [
      "Infra costs went up by eleven percent in the second quarter.",
      "The infrastructure review is with Oksana every other Thursday.",
      "Requests for a new bucket go to the infra channel.",
      "Infrastructure of the Dublin office moves to the new provider.",
    ],
  },
  {
    kinship: "inflected",
    names: ["refund", "refunds", "refunding"],
    notes: [
      "Refunds above 200 euros need a second pair of eyes.",
      "The refund for order 88213 went to the wrong card.",
      "Refunding a gift card takes the support tool and patience.",
      "Customers in Spain wait nine days for refunds.",
    ],
  },
  {
    kinship: "inflected",
    names: ["deployment", "deployments", "deploy", "deploys", "deploying"],
    notes: [
      "Deployments are frozen from the twentieth of December.",
      "The deploy of the search service took the old index with it.",
      "A deployment to the staging cell needs no approval.",
      "Deploys on Fridays are announced in the release channel.",
    ],
  },
  {
    kinship: "inflected",
    names: ["migration", "migrations", "migrate", "migrating"],
    notes: [
      "The migration of the ledger runs in four batches.",
      "Migrations must be additive until the old workers are gone.",
      "Migrating the avatars cost us a weekend.",
      "Every migration gets a number and a test.",
    ],
  },
  {
    kinship: "inflected",
    names: ["subscription", "subscriptions", "subscribe"],
    notes: [
      "Subscriptions that lapse keep their data for ninety days.",
      "The subscription of Nordlicht renews on the first of May.",
      "A paused subscription still counts against the seat limit.",
      "Two subscriptions under one address confuse the invoice run.",
    ],
  },
  {
    kinship: "inflected",
    names: ["backup", "backups", "back-up", "back-ups"],
    notes: [
      "Backups of the file store are kept in Stockholm.",
      "The backup from Sunday could not be read.",
      "Restoring a backup takes four hours, as the drill showed.",
      "Encrypted backups need the key that lies in the safe.",
    ],
  },
  {
    kinship: "inflected",
    names: ["recipe", "recipes"],
    notes: [
      "Grandmother's recipe wants twice the butter.",
      "Recipes with yeast fail in the cold kitchen.",
      "A recipe for lentil soup that the children eat.",
      "The best recipes of the week go on the fridge.",
    ],
  },
  {
    kinship: "inflected",
    names: ["email", "emails", "e-mail", "e-mails"],
    notes: [
      "E-mails to the old domain bounce since Monday.",
      "The email template for invites has a broken footer.",
      "An e-mail from the landlord announces works on the roof.",
      "Emails with attachments above ten megabytes are refused.",
    ],
  },
  {
    kinship: "inflected",
    names: ["interview", "interviews", "interviewing"],
    notes: [
      "Interviews with nurses showed that nobody reads the alert.",
      "The interview with Dr. Okafor is on tape.",
      "Interviewing in pairs gives calmer answers.",
      "Every interview ends with the same three questions.",
    ],
  },
  // Names that only knowledge can relate.
  {
    kinship: "unlike",
    names: ["single-sign-on", "sso"],
    notes: [
      "SSO for the insurance customer is due in June.",
      "Single sign-on through their directory drops the middle name.",
      "The price of SSO is part of the enterprise plan.",
      "A test tenant for single sign-on stands in Ireland.",
    ],
  },
  {
    kinship: "unlike",
    names: ["vacation", "time-off", "pto", "holiday", "leave"],
    notes: [
      "Vacation of more than two weeks is agreed with the team lead.",
      "PTO left over in December moves to the next year.",
      "Jonas has vacation from the third to the seventeenth.",
      "The PTO balance in the payroll tool is wrong for part-timers.",
    ],
  },
  {
    kinship: "unlike",
    names: ["movie", "movies", "film", "films"],
    notes: [
      "That film with the lighthouse was shot in Galicia.",
      "A movie for Friday: the one about the chess school.",
      "The film club meets in the old dairy.",
      "Ida cannot watch a movie with dogs in danger.",
    ],
  },
  {
    kinship: "unlike",
    names: ["apartment", "apartments", "flat", "flats"],
    notes: [
      "The flat in Porto has no lift.",
      "Rent for the apartment is due on the third working day.",
      "Keys to the flat are with the neighbour on the left.",
      "An apartment with a balcony would cost 200 more.",
    ],
  },
  {
    kinship: "unlike",
    names: ["car", "cars", "vehicle", "vehicles"],
    notes: [
      "The car needs winter tyres before the trip to Graz.",
      "Insurance of the vehicle covers two drivers.",
      "Our car shows the orange light again.",
      "Papers of the vehicle are in the blue folder.",
    ],
  },
  {
    kinship: "unlike",
    names: ["vat", "value-added-tax", "sales-tax"],
    notes: [
      "VAT on books is seven percent in Germany.",
      "The value-added tax return is due on the tenth.",
      "Invoices to Norway carry no VAT.",
      "Value-added tax of the fair stand can be claimed back.",
    ],
  },
  {
    kinship: "unlike",
    names: ["outage", "outages", "downtime"],
    notes: [
      "The outage on Saturday began with a full disk.",
      "Downtime of the label printer costs us a shift.",
      "An outage of the payment provider is shown on the status page.",
      "Planned downtime is announced three days ahead.",
    ],
  },
  {
    kinship: "unlike",
    names: ["customer", "customers", "client", "clients"],
    notes: [
      "The customer in Lyon wants monthly reports.",
      "A client of ours closed the shop in Bergen.",
      "Three customers asked for a dark theme.",
      "Clients from the public sector need a tender number.",
    ],
  },
];

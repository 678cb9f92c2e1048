// The task that every program of this folder does: a support agent with rules from a folder, notes about the customer
// that need different trust, open tasks and the time with every message, one tool, and 3,000 tokens for all of it.
// Everything here belongs to the application, whichever library writes its prompts.
export const MODEL = "gpt-5.2"
export const BUDGET = 3000
export const BASE = "You are the support agent of Acme, a shop for lamps and furniture."
export const RULES = new URL("rules", import.meta.url)

/** Who may see a note, from least to most. */
export type Trust = "public" | "familiar" | "inner" | "full"

export interface Note {
  readonly text: string
  readonly trust: Trust
}

export const CUSTOMER = { id: "mallory", trust: "familiar" } as const

export const SECRET = "Case 77-4 is open: chargeback fraud suspected, evidence with the lawyers."

export const NOTES: readonly Note[] = [
  { text: "Mallory has been a customer since 2019 and pays by invoice.", trust: "familiar" },
  { text: SECRET, trust: "full" },
  { text: "Prefers short answers, and parcels at the shop in Harbour Street.", trust: "public" },
]

export interface TurnInput {
  readonly question: string
  readonly tasks: readonly string[]
  readonly now: Date
}

const FEW = ["Ask Mallory to confirm the address of A17.", "Offer the spring catalogue if there is time."]
/** On a busy day there are more tasks than the prompt has room for. */
const MANY = [
  ...FEW,
  ...Array.from(
    { length: 100 },
    (_one, at) => `Call back about order B${at + 100}: parcel held at the depot, customer waits for a date.`,
  ),
]

const ASKED = [
  ["Where is A17?", FEW],
  ["And A18?", FEW],
  ["Can A19 still be changed?", MANY],
  ["When does A20 arrive?", MANY],
  ["Is A21 paid?", FEW],
] as const

/** Five messages, a minute apart. The model calls the tool once for each, so there are ten calls. */
export const TURNS: readonly TurnInput[] = ASKED.map(([question, tasks], at) => ({
  ...{ question, tasks },
  now: new Date(Date.UTC(2026, 5, 15, 9, at)),
}))

export const TOOL = {
  name: "lookup_order",
  description: "Looks up the state of an order.",
  parameters: {
    type: "object",
    properties: { id: { type: "string", description: "Such as A17." } },
    required: ["id"],
    additionalProperties: false,
  },
} as const

/** An order as a shop's API returns it: state, items, addresses and the parcel's way. */
export function lookUpOrder({ id }: { readonly id: string }): string {
  const depots = ["Lund", "Jena", "Graz", "Brno", "Ulm", "Metz", "Gent", "Delft"]
  return JSON.stringify({
    ...{ id, state: "sent", paid: true, total: "EUR 219.80", expected: "2026-06-16" },
    items: [
      { sku: "NL-40-BRASS", name: "Nordlys pendant lamp, 40 cm, brass", quantity: 2, price: "EUR 89.95" },
      { sku: "BULB-E27-6W", name: "LED bulb E27, 6 W, warm white", quantity: 4, price: "EUR 9.98" },
    ],
    address: { name: "Mallory Vane", street: "Harbour Street 12", city: "Norrhamn", country: "SE" },
    parcel: {
      carrier: "Postvagn",
      number: `PV${id}0012`,
      scans: depots.map((place, at) => ({
        at: `2026-06-${12 + (at >> 2)}T0${at}:30Z`,
        place,
        event: "sorted",
      })),
    },
  })
}

/** What a program can say about the prompt of the third message, for which there were too many tasks. */
export interface Answers {
  readonly leftOut?: string | undefined
  readonly why?: string | undefined
  readonly withheld?: string | undefined
  readonly source?: string | undefined
}

// What `incipit bill --by` groups by.
export const BILL_KEYS = ["day", "session", "client", "model", "owner", "cause"] as const
export type BillKey = (typeof BILL_KEYS)[number]

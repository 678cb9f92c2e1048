// Content addresses. The only file in the pure folders that uses a hash library.

import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { isRecord } from "./is-record.ts"
import { byCodePoint } from "./order.ts"

/** The SHA-256 of a text, in hexadecimal. */
export type Digest = `sha256:${string}`

const UTF8 = new TextEncoder()

/** The digest of a text as UTF-8, which tells whether two texts are the same bytes. */
export function digest(text: string): Digest {
  return `sha256:${bytesToHex(sha256(UTF8.encode(text)))}`
}

/** One digest for a list. Each item is prefixed with its length, so no two lists produce the same input. */
export function digestOf(items: readonly string[]): Digest {
  return digest(items.map((item) => `${item.length}:${item}`).join(""))
}

/** JSON with sorted keys: equal values give the same text, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (isRecord(item) ? sortKeys(item) : item)) ?? "null"
}

function sortKeys(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const sorted = Object.entries(record).sort(([a], [b]) => byCodePoint(a, b))
  return Object.fromEntries(sorted)
}

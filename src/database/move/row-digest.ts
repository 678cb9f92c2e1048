// A digest of all rows of a table that does not depend on their order: the sum of the digests of the rows, so that each side
// reads its rows in whichever way is quick for it.
import { createHash } from "node:crypto"
import type { Row } from "../rows/row.ts"

export interface TableDigest {
  readonly rows: number
  /** Hexadecimal. */
  readonly digest: string
}

export interface RowDigest {
  add(row: Row): void
  result(): TableDigest
}

const MODULUS = 2n ** 256n

export function createRowDigest(columns: readonly string[]): RowDigest {
  let rows = 0
  let sum = 0n
  return {
    add(row) {
      rows += 1
      const digest = sha256(JSON.stringify(columns.map((name) => canonical(row[name] ?? null))))
      sum = (sum + BigInt(`0x${digest}`)) % MODULUS
    },
    result: () => ({ rows, digest: sum.toString(16).padStart(64, "0") }),
  }
}

/** Bytes are told from a text that looks like them. */
function canonical(value: Row[string]): unknown {
  return value instanceof Uint8Array ? { bytes: sha256(value) } : value
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex")
}

// Writes files as a client would.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export function writeRows(home: string, path: string, rows: readonly object[]): string {
  return writeText(home, path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
}

export function writeText(home: string, path: string, text: string | Uint8Array): string {
  const target = join(home, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  return target
}

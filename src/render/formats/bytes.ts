// Bytes in messages. Some SDKs take images only as bytes, but a conversation is stored as JSON: there they are base64
// under a name that marks them, and a renderer makes bytes of them again.

const MARK = "$bytes"
const CHUNK = 8192

export function toBase64(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** A copy with `{ $bytes: base64 }` in place of bytes. */
export function markedBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [MARK]: toBase64(value) }
  return mapped(value, markedBytes)
}

/** The reverse. */
export function revivedBytes(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  const marked = MARK in value ? value[MARK] : undefined
  return typeof marked === "string" ? fromBase64(marked) : mapped(value, revivedBytes)
}

function mapped(value: unknown, change: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field)]))
}

// Names for tools of MCP servers that every provider takes and that no two tools share. A name depends on nothing but
// the tools that there are: not on who started first, and not on tools that fewer people may see.
import { digestOf } from "../../base/digest.ts"
import { byCodePoint } from "../../base/order.ts"
import { atLeast, TRUSTS, type Trust } from "../../base/trust.ts"

export interface Nameable {
  readonly server: string
  /** As the server calls it. */
  readonly tool: string
  readonly trust: Trust
  /** Always with the server's name before it. */
  readonly isPrefixed: boolean
}

export interface Named<T> {
  readonly name: string
  readonly of: T
}

/** The most that a provider takes. */
const MOST = 64
const DIGITS = 8

/** Sorted by name; a tool whose name is taken in spite of all is left out. */
export function nameTools<T extends Nameable>(
  tools: readonly T[],
  taken: readonly string[],
): readonly Named<T>[] {
  const plain = tools.map((tool) => ({ of: tool, name: fitted(tool.tool, tool) }))
  const apart = plain.map((named) =>
    named.of.isPrefixed || isTaken(named, plain, taken, isOtherServer)
      ? { of: named.of, name: fitted(`${named.of.server}_${named.of.tool}`, named.of) }
      : named,
  )
  const unique = apart.map((named) =>
    isTaken(named, apart, taken, isOther) ? { of: named.of, name: marked(named.name, named.of) } : named,
  )
  return withoutTaken(unique, taken).toSorted((a, b) => byCodePoint(a.name, b.name))
}

/** Whether somebody who sees this tool sees another thing of that name. */
function isTaken<T extends Nameable>(
  { name, of }: Named<T>,
  all: readonly Named<T>[],
  taken: readonly string[],
  counts: (a: T, b: T) => boolean,
): boolean {
  if (taken.includes(name)) return true
  return all.some((other) => other.name === name && counts(of, other.of) && atLeast(of.trust, other.of.trust))
}

function isOtherServer(a: Nameable, b: Nameable): boolean {
  return a.server !== b.server && !b.isPrefixed
}

function isOther(a: Nameable, b: Nameable): boolean {
  return a !== b
}

/** Letters, digits, `_` and `-`, beginning with a letter or `_`, short enough. */
function fitted(text: string, tool: Nameable): string {
  const clean = text.replaceAll(/[^A-Za-z0-9_-]/gu, "_").replace(/^(?![A-Za-z_])/, "_")
  return clean.length > MOST ? marked(clean, tool) : clean
}

/** With some digits that belong to this tool alone. */
function marked(name: string, { server, tool }: Nameable): string {
  const digits = digestOf([server, tool]).slice("sha256:".length, "sha256:".length + DIGITS)
  return `${name.slice(0, MOST - DIGITS - 1)}_${digits}`
}

/** A name can be made to look like one of ours; of two, the one that more people see stays. */
function withoutTaken<T extends Nameable>(
  named: readonly Named<T>[],
  taken: readonly string[],
): readonly Named<T>[] {
  const seen = new Set(taken)
  return named
    .toSorted(
      (a, b) =>
        TRUSTS.indexOf(a.of.trust) - TRUSTS.indexOf(b.of.trust) ||
        byCodePoint(a.of.server, b.of.server) ||
        byCodePoint(a.of.tool, b.of.tool),
    )
    .filter(({ name }) => !seen.has(name) && seen.add(name))
}

// Names for the tools of MCP servers, valid for every provider and unique. A name depends only on the set of tools: not
// on which server started first, and not on tools that fewer people may see.
import { digestOf } from "../../base/digest.ts"
import { byCodePoint } from "../../base/order.ts"
import { atLeast, TRUSTS, type Trust } from "../../base/trust.ts"

export interface Nameable {
  readonly server: string
  /** The server's name for it. */
  readonly tool: string
  readonly trust: Trust
  /** Always prefixed with the server's name. */
  readonly isPrefixed: boolean
}

export interface Named<T> {
  readonly name: string
  readonly of: T
}

/** The longest name that providers accept. */
const MOST = 64
const DIGITS = 8

/** Sorted by name. A tool whose name is still taken is left out. */
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

/** Whether an audience that sees this tool also sees something else with that name. */
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

/** Letters, digits, `_` and `-`, starting with a letter or `_`, and short enough. */
function fitted(text: string, tool: Nameable): string {
  const clean = text.replaceAll(/[^A-Za-z0-9_-]/gu, "_").replace(/^(?![A-Za-z_])/, "_")
  return clean.length > MOST ? marked(clean, tool) : clean
}

/** Adds digits of a digest of this tool. */
function marked(name: string, { server, tool }: Nameable): string {
  const digits = digestOf([server, tool]).slice("sha256:".length, "sha256:".length + DIGITS)
  return `${name.slice(0, MOST - DIGITS - 1)}_${digits}`
}

/**
 * A server can craft a name that looks like one of ours. Of two equal names, the tool that more people see keeps it.
 */
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

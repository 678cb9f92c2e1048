// The ratchet of `incipit check --ratchet`: the size, price and leaks of this prompt, compared with those in the
// incipit.lock of another commit. Reads that lock from git's objects; nothing of the repository runs.
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { byCodePoint } from "../../../base/order.ts"
import { isTrust } from "../../../base/trust.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { ratchetGrowth } from "../../../sources/config/defaults.ts"
import { fileAt, likelyBase } from "../../../sources/git/file-at.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import type { Terminal } from "../../terminal.ts"
import type { Ratchet, RatchetRow } from "../../views/check/ratchet-view.ts"
import { LOCK_NAME, parseLock } from "./lock.ts"
import type { PromptSize } from "./prompt-size.ts"

export interface RatchetContext {
  readonly flags: Pick<FlagsOf<"check">, "against" | "maxGrowth">
  readonly terminal: Terminal
  /** The workspace. */
  readonly root: string
  readonly config: Config
}

/** What is looked for in a group if no `--leak` says what. */
export const RATCHET_LEAK = "full:group"

export async function ratchet(size: PromptSize, context: RatchetContext): Promise<Ratchet> {
  const against = baseOf(context)
  const found = await fileAt(context.root, LOCK_NAME, against)
  if (found.kind === "unavailable") throw new IncipitError("bad-argument", `--against: ${found.reason}`)
  if (found.kind === "absent") return nothingToCompare(against, `there is no ${LOCK_NAME} in ${against}`)
  const lock = parseLock(found.text, `${LOCK_NAME} of ${against}`)
  if (lock.version === 1)
    return nothingToCompare(
      against,
      `the ${LOCK_NAME} in ${against} has no sizes, because an earlier version wrote it`,
    )
  return compareSizes(lock.prompt, size, { against, limits: limitsOf(context) })
}

/** The base branch of the pull request in GitHub Actions, else the remote's default branch, else main or master. */
function baseOf({ flags, terminal, root }: RatchetContext): string {
  if (flags.against !== undefined) return flags.against
  const pull = terminal.env.GITHUB_BASE_REF
  const wanted = pull
    ? [`origin/${pull}`, pull]
    : ["origin/HEAD", "origin/main", "origin/master", "main", "master"]
  const found = likelyBase(root, wanted)
  if (found !== undefined) return found
  const which = pull ? `the branch ${pull} is not in this clone; fetch it, or name` : "name"
  throw new IncipitError("bad-argument", `--ratchet: ${which} a branch, tag or commit with --against`)
}

interface Limits {
  /** In percent. */
  readonly growth: number
  /** Most tokens of tools and cached prefix. */
  readonly tokens: number | undefined
}

function limitsOf({ flags, config }: RatchetContext): Limits {
  return { growth: flags.maxGrowth ?? ratchetGrowth(config), tokens: config.ratchet?.tokens }
}

function nothingToCompare(against: string, why: string): Ratchet {
  const diagnostics: readonly Diagnostic[] = [{ code: "ratchet-without-base", why }]
  return { against, rows: [], changed: [], diagnostics }
}

/** Smaller differences are a matter of the machine: its paths and its clock are in the prompt too. */
const LEAST_TOKENS = 100
const LEAST_USD = 0.0005

interface Comparison {
  readonly against: string
  readonly limits: Limits
}

function compareSizes(before: PromptSize, after: PromptSize, comparison: Comparison): Ratchet {
  const { against, limits } = comparison
  const { growth } = limits
  const grew = (what: string, was: number | null, is: number | null, least: number): RatchetRow => {
    const isOver = was !== null && is !== null && is - was > least && is > was * (1 + growth / 100)
    return { what, unit: least < 1 ? "usd" : "tokens", before: was, after: is, limit: `+${growth}%`, isOver }
  }
  const prefix = ({ tokens }: PromptSize) => tokens.tools + tokens.prefix
  const leaked = after.leaks.filter((leak) => !before.leaks.includes(leak))
  const capped = cappedRow(prefix(before), prefix(after), limits.tokens)
  const rows = [
    grew("tools and cached prefix", prefix(before), prefix(after), LEAST_TOKENS),
    ...(capped === undefined ? [] : [capped]),
    grew("turn context", before.tokens.turn, after.tokens.turn, LEAST_TOKENS),
    grew("first call", before.firstCallUsd, after.firstCallUsd, LEAST_USD),
    grew("later calls, cached", before.callUsd, after.callUsd, LEAST_USD),
    {
      what: "leaks",
      unit: "count",
      before: before.leaks.length,
      after: after.leaks.length,
      limit: "none new",
      isOver: leaked.length > 0,
    } as const,
  ]
  const changed = changedParts(before.parts, after.parts)
  return {
    against,
    rows,
    changed,
    diagnostics: [...overs(rows, changed, against), ...leaked.flatMap(leakOf)],
  }
}

function cappedRow(before: number, after: number, tokens: number | undefined): RatchetRow | undefined {
  if (tokens === undefined) return undefined
  return {
    what: "the same, in all",
    unit: "tokens",
    before,
    after,
    limit: `${tokens}`,
    // What is over the limit already does not stop a change that makes it no worse.
    isOver: after > tokens && after > before,
  }
}

/** Largest difference first. */
function changedParts(before: PromptSize["parts"], after: PromptSize["parts"]): Ratchet["changed"] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort(byCodePoint)
    .map((name) => ({ name, before: before[name] ?? 0, after: after[name] ?? 0 }))
    .filter((part) => part.before !== part.after)
    .toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before))
}

/** Each is put down to the part that grew most, which is where somebody has to look. */
function overs(
  rows: readonly RatchetRow[],
  changed: Ratchet["changed"],
  against: string,
): readonly Diagnostic[] {
  const grown = changed.find(({ before, after }) => after > before)
  const path = grown !== undefined && /\.\w+$/.test(grown.name) ? grown.name : LOCK_NAME
  return rows
    .filter(({ isOver, unit }) => isOver && unit !== "count")
    .map(({ what, unit, before, after, limit }): Diagnostic => {
      const [was, is] = [before ?? 0, after ?? 0]
      return { code: "ratchet-exceeded", path, what, unit, before: was, after: is, limit, against }
    })
}

function leakOf(leak: string): readonly Diagnostic[] {
  const [, trust, situation = "", path = ""] = /^([^:]*):(\S*) (.*)$/s.exec(leak) ?? []
  return isTrust(trust) ? [{ code: "leak", path, situation, trust }] : []
}

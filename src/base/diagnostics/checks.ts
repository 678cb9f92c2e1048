// What the checks of `incipit check` find: text that is repeated, that leaks or that costs too much.
import type { Trust } from "../trust.ts"
import { type At, error, hint, type In, warning } from "./kind.ts"

export const CHECK_DIAGNOSTICS = {
  "duplicate-paragraph": hint(
    (d: At & { readonly other: string; readonly otherLine: number; readonly paragraphs: number }) =>
      `repeats ${d.other}:${d.otherLine}${morePlaces(d.paragraphs - 1)}. You pay for both.`,
  ),
  "moving-text-in-file": warning(
    (d: At & { readonly what: string }) =>
      `contains ${d.what}. Text that changes invalidates the cache of everything after it.`,
  ),
  "names-absent-tool": warning(
    (d: At & { readonly tool: string }) => `names the tool "${d.tool}", which is not available`,
  ),
  secret: error(
    (d: At & { readonly kind: string }) =>
      `seems to contain a secret (${d.kind}), which would be sent to the model`,
  ),
  "past-codex-limit": hint(
    (d: In & { readonly together: number; readonly bytes: number; readonly limit: number }) =>
      `${d.together === 1 ? "" : "with the other AGENTS.md files, it "}has ${d.bytes} bytes. Codex reads the first ${d.limit} and ignores the rest.`,
  ),
  "chain-too-long": hint(
    (d: In & { readonly together: number; readonly tokens: number; readonly limit: number }) =>
      `${d.together === 1 ? "" : "with the other project context files, it "}takes ${d.tokens} tokens, more than ${d.limit}. Every session pays for them.`,
  ),
  leak: error(
    (d: In & { readonly situation: string; readonly trust: Trust }) =>
      `needs ${d.trust} trust but is sent in the situation "${d.situation}"`,
  ),
  "lock-differs": error(
    (d: In & { readonly change: string }) => `${d.change} since incipit.lock was written`,
  ),
  "ratchet-exceeded": error(
    (
      d: In & {
        readonly what: string
        readonly unit: string
        readonly before: number
        readonly after: number
        readonly limit: string
        readonly against: string
      },
    ) =>
      `${d.what}: ${amount(d.before, d.unit)} in ${d.against}, ${amount(d.after, d.unit)} now. The limit is ${d.limit}.`,
  ),
  "ratchet-without-base": hint(
    (d: { readonly why: string }) =>
      `Nothing to compare with: ${d.why}. Run \`incipit check --write-lock\` there and commit the file.`,
  ),
} as const

/** Dollars with the digits that differ in a prompt's price. */
function amount(value: number, unit: string): string {
  return unit === "usd" ? `$${value.toFixed(4)}` : `${value} tokens`
}

function morePlaces(count: number): string {
  if (count === 0) return ""
  return count === 1
    ? ", and another paragraph is repeated too"
    : `, and ${count} more paragraphs are repeated too`
}

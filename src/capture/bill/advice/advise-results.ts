// Advice about results of tools: commands whose long output rides along, and large files that were read.
import { byCodePoint } from "../../../base/order.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import type { Client } from "../../call.ts"
import type { Advice, OwnerCost } from "../bill.ts"

const SHELLS =
  /^(?:bash|shell|local_shell|exec|exec_command|run_shell_command|run_terminal_cmd|powershell|terminal)$/i
const READERS = /^(?:read|read_file|readfile|view|cat|open_file|read_many_files)$/i

/** What is left of a long output: about forty lines. */
const KEPT_TOKENS = 600
const LEAST_TOKENS = 1_500
const LEAST_RUNS = 3

/** Commands that ran often, with outputs that are far longer than their end. */
export function trimAdvice(owners: readonly OwnerCost[]): readonly Advice[] {
  return best(
    owners.filter(({ name = "", others }) => SHELLS.test(name) && others === undefined),
    (owner) => {
      const { times = 0, tokens, carriedUsd, input = "" } = owner
      const each = tokens / Math.max(1, times)
      if (times < LEAST_RUNS || each < LEAST_TOKENS || carriedUsd === null) return undefined
      const command = shortCommand(input)
      const text = `Trim the output of \`${command}\`: it ran ${times} times, and each ${rounded(each)}-token log was sent again ${againText(owner)}.`
      const savesUsd = carriedUsd * (1 - KEPT_TOKENS / each)
      return { kind: "trim-results", text, command: trimmed(command), savesUsd, simulated: true }
    },
  )
}

const LARGE_FILE = 4_000
/** Files that are written by programs, and seldom tell a model more than their tools do. */
const GENERATED =
  /(?:^|[\\/])(?:[\w.-]*lock[\w.-]*\.(?:json|ya?ml|toml)|[\w.-]+\.lock|go\.sum|[\w.-]+\.(?:min\.(?:js|css)|map|log|svg|csv|snap))$/i

export function largeFileAdvice(owners: readonly OwnerCost[], client: Client | undefined): readonly Advice[] {
  return best(
    owners.filter(({ name = "", others }) => READERS.test(name) && others === undefined),
    (owner) => {
      const { times = 0, tokens, carriedUsd, calls, input = "" } = owner
      const each = tokens / Math.max(1, times)
      if (times === 0 || each < LARGE_FILE || carriedUsd === null) return undefined
      const file = input.split(/[\\/]/).at(-1) ?? input
      const reads = times === 1 ? "one read" : `${times} reads`
      const rode = `${reads} of ${rounded(each)} tokens rode along for ${plural(calls, "call")}`
      const isGenerated = GENERATED.test(input)
      return {
        kind: "large-file",
        text: isGenerated
          ? `Don't read ${file}: ${rode}.`
          : `Read only the part of ${file} that you need: ${rode}.`,
        command:
          isGenerated && client === "claude-code"
            ? `"permissions": { "deny": ["Read(**/${file})"] }`
            : undefined,
        savesUsd: carriedUsd * (isGenerated ? 1 : 1 - KEPT_TOKENS / each),
        simulated: true,
      }
    },
  )
}

/** The one that saves most. */
function best(
  owners: readonly OwnerCost[],
  adviceOf: (owner: OwnerCost) => Advice | undefined,
): readonly Advice[] {
  return owners
    .flatMap((owner) => adviceOf(owner) ?? [])
    .toSorted((one, other) => other.savesUsd - one.savesUsd || byCodePoint(one.text, other.text))
    .slice(0, 1)
}

/** How often each result was in a later call. */
function againText({ sent = 0, times = 1 }: OwnerCost): string {
  const again = Math.max(0, Math.round(sent / Math.max(1, times)) - 1)
  return again <= 1 ? "about once" : `about ${again} times`
}

const LONGEST_COMMAND = 60

function shortCommand(input: string): string {
  const command = input.replace(/^cd \S+ && /, "").replaceAll("`", "'")
  return command.length <= LONGEST_COMMAND
    ? command
    : `${command.slice(0, LONGEST_COMMAND - 1).toWellFormed()}…`
}

/** Only for a command that can simply be continued. */
function trimmed(command: string): string | undefined {
  return /[|;&<>…\n]/.test(command) ? undefined : `${command} 2>&1 | tail -40`
}

/** To hundreds: only results of thousands of tokens are worth advice. */
function rounded(tokens: number): string {
  return thousands(Math.round(tokens / 100) * 100)
}

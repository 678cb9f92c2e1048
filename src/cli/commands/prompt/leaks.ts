// Text that is sent where it must not be: assertions of the form TRUST:SITUATION, checked on compiled prompts.
import { type Diagnostic, sentence } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { atLeast, isTrust, type Trust } from "../../../base/trust.ts"
import { isSeen } from "../../../core/model/plan.ts"
import { view } from "../../../core/view/view.ts"
import type { Terminal } from "../../terminal.ts"
import { type Compiled, compileFromFlags, type Input, type PromptFlags } from "./resolve.ts"

/** A leak as incipit.lock names it: `full:group USER.md`. */
export function leakKey(assertion: string, diagnostic: Diagnostic): string {
  return `${assertion} ${"path" in diagnostic ? diagnostic.path : ""}`
}

/** Compiles for the owner in the situation: everybody else there sees less. */
export async function leaks(
  assertions: readonly string[],
  flags: PromptFlags,
  terminal: Terminal,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  for (const assertion of assertions) {
    const [trust, situation] = assertion.split(":")
    if (!isTrust(trust) || situation === undefined || situation === "") {
      throw new IncipitError(
        "bad-argument",
        `--leak must be TRUST:SITUATION, such as full:group, not "${assertion}"`,
      )
    }
    const { prompt, input, diagnostics } = await compileFromFlags({ ...flags, in: situation }, terminal)
    // An unknown situation leaks nothing, so a misspelt one would always pass.
    const unknown = diagnostics.find(({ code }) => code === "unknown-situation")
    if (unknown !== undefined) throw new IncipitError("bad-argument", `--leak: ${sentence(unknown)}`)
    found.push(...leaked(prompt.plan.entries.filter(isSeen), input, trust, situation))
    found.push(...leakedSkills(input, trust, situation), ...leakedMemory(input, trust, situation))
  }
  return found
}

/**
 * The skill menu appears only with tools to read a skill: assume those of a running agent, whatever tools are given
 * here.
 */
function leakedSkills({ agent, session }: Input, trust: Trust, situation: string): readonly Diagnostic[] {
  const seen = view(agent, session)
  return [...seen.agent.skills, ...seen.session.skills]
    .filter(({ trust: needs }) => atLeast(needs, trust))
    .map(({ path, trust: needs }) => ({ code: "leak", path, situation, trust: needs }))
}

/** Not in the prompt itself, but the agent may recall it or find it by searching. */
function leakedMemory({ agent, session }: Input, trust: Trust, situation: string): readonly Diagnostic[] {
  return (agent.memory ?? [])
    .filter(({ trust: needs }) => atLeast(session.audience.trust, needs) && atLeast(needs, trust))
    .map(({ path, trust: needs }) => ({
      code: "leak",
      // The real path: this file is not in its store's folder.
      path: path === "private/MEMORY.md" ? "MEMORY.md" : `memory/${path}`,
      situation,
      trust: needs,
    }))
}

function leaked(
  entries: Compiled["prompt"]["plan"]["entries"],
  { agent, session }: Input,
  trust: Trust,
  situation: string,
): readonly Diagnostic[] {
  const sources = new Map(
    [...agent.files, ...session.files, ...(agent.skills ?? [])].map((file) => [file.path, file.trust]),
  )
  const paths = new Map<string, Trust>()
  for (const entry of entries) {
    for (const { from } of entry.spans)
      if (from?.kind === "file") paths.set(from.path, sources.get(from.path) ?? entry.trust)
    if (entry.spans.every(({ from }) => from?.kind !== "file")) paths.set(entry.id, entry.trust)
  }
  return [...paths].flatMap(([path, needs]): Diagnostic[] =>
    atLeast(needs, trust) ? [{ code: "leak", path, situation, trust: needs }] : [],
  )
}

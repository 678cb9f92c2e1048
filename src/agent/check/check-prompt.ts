// Checks a prompt and the files that it is made from: what lint says of them, skills, and what would not be cached.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { mostOf } from "../../base/trust.ts"
import { attach } from "../../core/layout/tail.ts"
import type { Skill, Tool } from "../../core/model/inputs.ts"
import { userMessage } from "../../core/model/message.ts"
import { lint } from "../../lint/lint.ts"
import { planBreakpoints } from "../../render/cache/breakpoints.ts"
import { callOf } from "../../render/cache/prompt-call.ts"
import { verify } from "../../render/cache/verify.ts"
import { memoryTexts } from "../../sources/memory-files.ts"
import { skillStandard } from "../../sources/skills/skill-standard.ts"
import { o200k } from "../../tokens/o200k.ts"
import { ruleOf } from "../models/terms.ts"
import type { Inspected } from "../turn/prompt/inspected.ts"

/** Longer project context crowds out everything else. */
const CHAIN_LIMIT = 8_000

export type CheckedPrompt = Pick<Inspected, "prompt" | "workspace" | "profile" | "agent" | "session">

/** `tools`: those that files may name. */
export function checkPrompt(checked: CheckedPrompt, tools: readonly Tool[]): readonly Diagnostic[] {
  const { agent, session } = checked
  return [
    ...lintPrompt(checked, tools),
    ...skillStandard([...(agent.skills ?? []), ...(session.skills ?? [])]),
    ...skillNameClashes(checked),
    ...uncached(checked),
  ]
}

function lintPrompt(
  { agent, session, profile, workspace }: CheckedPrompt,
  tools: readonly Tool[],
): readonly Diagnostic[] {
  return lint({
    files: [...agent.files, ...session.files],
    memory: memoryTexts(workspace),
    tools,
    hasAllTools: agent.tools.length > 0 && Object.keys(workspace.config.mcp ?? {}).length === 0,
    knownTools: profile.tools?.map(({ name }) => name) ?? [],
    chainLimit: CHAIN_LIMIT,
    count: (text) => o200k.count(text),
  })
}

/** What the first call of a session would not have cached, by its model's rule. */
function uncached({ prompt, session, workspace }: CheckedPrompt): readonly Diagnostic[] {
  const model = session.model
  if (model === undefined) return []
  const rule = ruleOf(model, workspace.config)
  const messages = attach([userMessage("Hello.")], prompt.tail)
  const breakpoints = planBreakpoints(prompt, messages, { rule })
  return verify(callOf(prompt, messages, { counter: o200k, breakpoints, rule, at: 0, output: 0 }), { rule })
    .uncached
}

/** A copy of a listed skill, kept for another program, takes no name away. */
function skillNameClashes({ agent, session }: CheckedPrompt): readonly Diagnostic[] {
  const first = new Map<string, Skill>()
  return [...(agent.skills ?? []), ...(session.skills ?? [])].flatMap((skill): Diagnostic[] => {
    const { name, path, trust } = skill
    const known = first.get(name)
    if (known === undefined) first.set(name, skill)
    if (known === undefined || known.digest === skill.digest) return []
    return [{ code: "skill-name-taken", path, name, by: known.path, needs: mostOf(trust, known.trust) }]
  })
}

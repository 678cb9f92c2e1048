// `incipit skills`: every skill that was found, whether it is in the prompt, and if not, why.

import { plural } from "../../../base/text/figures.ts"
import type { Skill } from "../../../core/model/inputs.ts"
import { type View, view } from "../../../core/view/view.ts"
import { visible } from "../../chat/screen/visible.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { painter } from "../../views/colour.ts"
import { cells, fitCell } from "../../views/widths.ts"
import { gatherFromFlags } from "../prompt/resolve.ts"

interface Listed {
  readonly name: string
  readonly status: "listed" | "manual" | "withheld" | "shadowed"
  readonly trust: string
  readonly path: string
  readonly description: string
}

export async function run({ flags, terminal }: Invocation<"skills">): Promise<number> {
  const { agent, session, diagnostics } = await gatherFromFlags(flags, terminal)
  const seen = view(agent, session)
  const listed = [...(agent.skills ?? []), ...(session.skills ?? [])].map((skill) => listedAs(skill, seen))
  if (flags.json) terminal.out(`${JSON.stringify(listed, null, 2)}\n`)
  else {
    const paint = painter(terminal)
    const width = Math.min(32, Math.max(4, ...listed.map(({ name }) => cells(visible(name)))))
    const lines = listed.map(({ status, ...skill }) => {
      const [name, path, description] = [skill.name, skill.path, skill.description].map(visible)
      const text = `${fitCell(name ?? "", width)}  ${fitCell(status, 8)}  ${fitCell(path ?? "", 30)}  ${description}`
      const line = fitCell(text, terminal.columns).trimEnd()
      return status === "listed" ? line : paint("yellow", line)
    })
    terminal.out(`${[...lines, `${plural(listed.length, "skill")} found`].join("\n")}\n`)
    printDiagnostics(diagnostics, terminal)
  }
  return exitStatus(diagnostics, flags)
}

function listedAs(skill: Skill, { agent, session, hidden }: View): Listed {
  const { name, trust, path, description } = skill
  const isShown = [...agent.skills, ...session.skills].includes(skill)
  const isHidden = hidden.some(({ role, identity }) => role === "skill" && identity === skill.identity)
  const status = isHidden ? "withheld" : !isShown ? "shadowed" : skill.manual ? "manual" : "listed"
  return { name, status, trust, path, description }
}

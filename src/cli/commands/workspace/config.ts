// `incipit config`: the effective configuration, and where each value comes from.
import { openWorkspace } from "../../../sources/workspace.ts"
import { visible } from "../../chat/screen/visible.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import { painter } from "../../views/colour.ts"
import { cells, fitCell } from "../../views/widths.ts"
import { effectiveSettings } from "./settings.ts"

export async function run({ flags, terminal }: Invocation<"config">): Promise<number> {
  const workspace = openWorkspace(workspaceFolder(flags, terminal), { agent: flags.agent })
  const settings = effectiveSettings(flags, terminal, workspace)
  if (flags.json) terminal.out(`${JSON.stringify(settings, null, 2)}\n`)
  else {
    const paint = painter(terminal)
    const keys = settings.map(({ key }) => visible(key))
    const width = Math.max(...keys.map(cells))
    const values = settings.map(({ value }) => visible(String(value)))
    const wide = Math.min(Math.max(...values.map(cells)), Math.max(8, terminal.columns - width - 22))
    const lines = settings.map(
      ({ from }, index) =>
        `${fitCell(keys[index] ?? "", width)}  ${fitCell(values[index] ?? "", wide)}  ${paint("dim", visible(from))}`,
    )
    terminal.out(`${lines.join("\n")}\n`)
  }
  printDiagnostics(workspace.diagnostics, terminal)
  return exitStatus(workspace.diagnostics, flags)
}

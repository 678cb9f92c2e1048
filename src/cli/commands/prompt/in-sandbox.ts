// What a compiled prompt says of the sandbox, as the running agent's would: it is set up for a moment to see what holds.
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { realPath } from "../../../files/real-path.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import type { PromptInput } from "../../../workspace/prompt-input.ts"
import type { Terminal } from "../../terminal.ts"

interface Place {
  readonly workspace: Workspace
  readonly directory: string
  readonly home: string | undefined
  readonly terminal: Terminal
}

export async function inSandbox(
  gathered: PromptInput,
  { workspace, directory, home, terminal }: Place,
): Promise<PromptInput> {
  // Most workspaces have none, and a command should start fast.
  if (workspace.config.sandbox === undefined) return gathered
  const { createBoxes } = await import("../../../sandbox/boxes.ts")
  const { withSandbox } = await import("../../../sandbox/in-prompt.ts")
  const { workspaceSandboxes } = await import("../../../sandbox/workspace-sandboxes.ts")
  const warnings: Diagnostic[] = []
  const boxes = createBoxes()
  const sandboxes = workspaceSandboxes({
    ...{ workspace: () => workspace, directory: realPath(directory), home, boxes, env: terminal.env },
    warn: (problem) => void warnings.push({ code: "no-sandbox", problem, needs: "full" }),
  })
  const input = await withSandbox(gathered, sandboxes)
  await boxes.close()
  return { ...input, diagnostics: [...input.diagnostics, ...warnings] }
}

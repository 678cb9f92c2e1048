// What a folder says about who may reach the machine needs approval, like everything in it that acts.
import { IncipitError } from "../../../base/error.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { homeFolder, type MachineFlags, workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { approvalItems, unapproved } from "../workspace/approvables.ts"
import { approveItems } from "../workspace/approve-items.ts"
import { openFolder } from "../workspace/folder-question.ts"

/** The configuration as it was approved; throws an error that says what to do if it was not. */
export async function approveServing(flags: MachineFlags, terminal: Terminal): Promise<Config> {
  await openFolder(flags, terminal, { isScheduled: true, isServed: true })
  const home = homeFolder(flags, terminal)
  const workspace = openWorkspace(workspaceFolder(flags, terminal), { home })
  const items = approvalItems(workspace).items.filter(({ kind }) => kind === "serve")
  const waiting = unapproved(items, { root: workspace.root, home })
  if (waiting.length === 0) return workspace.config
  const why = (text: string) =>
    new IncipitError("not-approved", `\`serve\` in incipit.yaml says who may reach this machine, and ${text}`)
  const nobody = () => why("you have not approved it. To review it, run `incipit hooks approve serve`")
  if (!(await approveItems(workspace, waiting, { terminal, home, nobody })))
    throw why("you did not approve it")
  return workspace.config
}

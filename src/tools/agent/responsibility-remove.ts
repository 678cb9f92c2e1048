// `responsibility_remove`: the agent gives up one of its responsibilities, after the user's approval.
import { RESPONSIBILITY_REMOVE } from "../../profiles/incipit/tools/agent.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { shownName } from "../files/open-file.ts"
import { ToolFailure, type ToolHost } from "../host.ts"
import { requireApproval } from "../require-approval.ts"

export const responsibilityRemoveTool = defineTool({
  ...RESPONSIBILITY_REMOVE,
  asksFirst: true,
  async run({ title }, context) {
    const { host } = acting(context)
    const change = host.texts.withoutResponsibility(title)
    if (change === undefined) throw noSuch(title, host)
    await requireApproval(
      host,
      { kind: "instructions", ...change },
      `The change to ${change.path} was not approved.`,
    )
    if (host.texts.withoutResponsibility(title)?.before !== change.before)
      throw new ToolFailure(`${change.path} was changed in the meantime, so nothing was written.`)
    host.texts.writeResponsibilities(change.after)
    return `Removed the responsibility ${shownName(title)}.`
  },
})

function noSuch(title: string, { texts }: ToolHost): ToolFailure {
  const titles = texts.responsibilities().map(shownName)
  const known =
    titles.length === 0 ? "There are no responsibilities." : `The titles are: ${titles.join("; ")}.`
  return new ToolFailure(`No responsibility has the title ${shownName(title)}. ${known}`)
}

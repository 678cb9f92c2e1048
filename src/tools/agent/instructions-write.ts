// `instructions_write`: the agent rewrites its own instructions, after the user's approval.
import { INSTRUCTIONS_WRITE } from "../../profiles/incipit/tools/agent.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { refuseRedacted } from "../files/change-file.ts"
import { lineCount } from "../files/text-file.ts"
import { ToolFailure } from "../host.ts"
import { requireApproval } from "../require-approval.ts"

export const instructionsWriteTool = defineTool({
  ...INSTRUCTIONS_WRITE,
  asksFirst: true,
  async run({ text }, context) {
    refuseRedacted(text)
    const { host } = acting(context)
    const { path, text: before } = host.texts.instructions()
    if (before === text) return `${path} already has this text.`
    const request = { kind: "instructions", path, before, after: text } as const
    await requireApproval(host, request, `The change to ${path} was not approved.`)
    if (host.texts.instructions().text !== before)
      throw new ToolFailure(`${path} was changed in the meantime, so nothing was written.`)
    await host.texts.writeInstructions(text)
    return before === undefined
      ? `Created ${path}, ${lineCount(text)}.`
      : `Replaced ${path}: ${lineCount(before)} became ${lineCount(text)}.`
  },
})

// `notify_user`: reaches the user outside the conversation.
import { NOTIFY_USER } from "../../profiles/incipit/tools/agent.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"

export const notifyUserTool = defineTool({
  ...NOTIFY_USER,
  async run({ text }, context) {
    await acting(context).host.notify(text)
    return "The user was notified."
  },
})

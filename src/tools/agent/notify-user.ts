// `notify_user`: reaches the user outside the conversation.
import { z } from "zod"
import { defineAction } from "../action.ts"

const input = z.strictObject({
  text: z.string().min(1).max(2_000).describe("What the user should know, the most important first."),
})

export const notifyUserAction = defineAction({
  name: "notify_user",
  input,
  async run({ text }, { host }) {
    await host.notify(text)
    return "The user is notified."
  },
})

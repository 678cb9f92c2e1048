// `responsibility_remove`: the agent gives up one of its responsibilities.
import { z } from "zod"
import { defineAction } from "./action.ts"
import { ToolFailure } from "./host.ts"
import { shownName } from "./open-file.ts"

const input = z.strictObject({
  title: z.string().min(1).describe("The title, as the responsibilities have it."),
})

export const responsibilityRemoveAction = defineAction({
  name: "responsibility_remove",
  input,
  run({ title }, { host }) {
    if (host.texts.removeResponsibility(title)) return `Removed the responsibility ${shownName(title)}.`
    const titles = host.texts.responsibilities().map(shownName)
    const known = titles.length === 0 ? "There are none." : `There are: ${titles.join("; ")}.`
    throw new ToolFailure(`No responsibility has the title ${shownName(title)}. ${known}`)
  },
})

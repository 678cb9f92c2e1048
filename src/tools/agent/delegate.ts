// `delegate`: gives a part of the work to another agent and returns its report.
import { z } from "zod"
import { defineAction } from "../action.ts"

const input = z.strictObject({
  task: z.string().min(1).max(20_000).describe("The work, with all that one has to know to do it."),
  agent: z.string().min(1).optional().describe("The name of an agent; a copy of yourself if absent."),
})

export const delegateAction = defineAction({
  name: "delegate",
  // The other agent is in plan mode, too.
  isReadOnly: true,
  input,
  run: (work, { host }) => host.delegate(work),
})

// The dynamic sections of the `osa` profiles, separated by rules. A section that depends only on the session has
// session pace, even if it comes after text that changes with the turn.
import { type Content, textContent } from "../../core/model/content.ts"
import { section } from "../../core/model/section.ts"
import { readInput } from "../../core/model/section-input.ts"
import type { SessionView, TurnView } from "../../core/model/section-scope.ts"
import { allOf, bodyOf, firstOf } from "../../core/model/source.ts"
import { noFile, notFed, type Unused, unused } from "../../core/view/unused.ts"
import { classify } from "../../signal/classify.ts"
import { overlay } from "../../signal/overlay.ts"
import { recallInput, signalInput } from "../inputs.ts"
import {
  addendumParts,
  bulletinText,
  communicationText,
  environmentText,
  machinesInput,
  osaBulletin,
  osaCommunication,
  osaTasks,
  osaWorkflow,
  osTemplatesInput,
  recalledParts,
  relevantMemory,
  runtimeText,
  tasksText,
  workflowText,
} from "./parts.ts"
import { PLAN_MODE } from "./text.ts"

export const RULE = "\n\n---\n\n"

/** The signal passed in, or else the classified message. `false` switches it off. */
export const signalOverlay = section({
  id: "osa/signal-overlay",
  pace: "turn",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: RULE,
  build: ({ session, turn }) => {
    const given = readInput(turn, signalInput)
    if (given === false) return unused({ kind: "input-off", input: signalInput.name })
    if (given !== undefined) return `## ${overlay(given)}`
    const { message = "" } = turn
    if (message.trim() === "") return unused({ kind: "no-fact", fact: "message" })
    return `## ${overlay(classify(message, { channel: session.channel }))}`
  },
})

export const runtime = section({
  id: "osa/runtime",
  pace: "turn",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: RULE,
  build: ({ session, turn }) => runtimeText(session, turn.now),
})

export const planMode = section({
  id: "osa/plan-mode",
  pace: "turn",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: RULE,
  build: ({ turn }) => (turn.planMode === true ? PLAN_MODE : unused({ kind: "no-fact", fact: "plan-mode" })),
})

/** Strangers don't learn about the machine. */
export const environment = section({
  id: "osa/environment",
  pace: "turn",
  priority: "required",
  trust: "familiar",
  cut: "whole",
  lead: RULE,
  build: ({ session, turn }) => environmentText(session, turn),
})

export const memory = section({
  id: "osa/memory",
  pace: "turn",
  priority: "high",
  trust: "public",
  cut: "lines",
  lead: RULE,
  reads: ["memory"],
  build: ({ agent, turn }) => {
    const file = firstOf(agent.files, "memory")
    const known = file === undefined ? [] : relevantMemory(bodyOf(file), turn.message)
    const recalled = recalledParts(readInput(turn, recallInput))
    const bodies = [...known, ...recalled].flatMap((part, at) =>
      at === 0 ? [part] : [{ text: "\n\n" }, part],
    )
    if (bodies.length === 0)
      return file === undefined ? noFile("memory") : unused({ kind: "not-relevant", path: file.path })
    const heading = {
      text: "## Long-term Memory\n",
      ...(file && recalled.length === 0 && { trust: file.trust }),
    }
    return { parts: [heading, ...bodies] }
  },
})

export const taskState = section({
  id: "osa/task-state",
  pace: "turn",
  priority: "high",
  trust: "public",
  cut: "lines",
  lead: RULE,
  build: ({ turn }) => fedText(tasksText(readInput(turn, osaTasks)), turn, osaTasks),
})

export const workflow = section({
  id: "osa/workflow",
  pace: "turn",
  priority: "high",
  trust: "public",
  cut: "lines",
  lead: RULE,
  build: ({ turn }) => fedText(workflowText(readInput(turn, osaWorkflow)), turn, osaWorkflow),
})

/** What was learned about one person isn't for a room of other people. */
export const communication = section({
  id: "osa/communication",
  pace: "turn",
  priority: "medium",
  trust: "inner",
  cut: "lines",
  lead: RULE,
  build: ({ turn }) => fedText(communicationText(readInput(turn, osaCommunication)), turn, osaCommunication),
})

/** A digest of memory is as private as memory. */
export const cortex = section({
  id: "osa/cortex",
  pace: "turn",
  priority: "medium",
  trust: "full",
  cut: "lines",
  lead: RULE,
  build: ({ turn }) => fedText(bulletinText(readInput(turn, osaBulletin)), turn, osaBulletin),
})

export const osTemplates = section({
  id: "osa/os-templates",
  pace: "session",
  priority: "low",
  trust: "familiar",
  cut: "lines",
  lead: RULE,
  reads: ["addendum"],
  build: ({ session }) => addendums(session, "os", readInput(session, osTemplatesInput)),
})

export const machines = section({
  id: "osa/machines",
  pace: "session",
  priority: "low",
  trust: "familiar",
  cut: "lines",
  lead: RULE,
  reads: ["addendum"],
  build: ({ session }) => addendums(session, "machine", readInput(session, machinesInput)),
})

function addendums({ files }: SessionView, kind: string, given: readonly string[] = []): Content | Unused {
  const own = allOf(files, "addendum").filter(({ path }) => path.split("/").at(-2) === kind)
  const parts = addendumParts(own, given)
  return parts.length === 0 ? noFile(`addendum-${kind}`) : { parts }
}

function fedText(text: string | undefined, { inputs }: TurnView, input: { readonly name: string }) {
  return text === undefined ? notFed(inputs, input) : textContent(text)
}

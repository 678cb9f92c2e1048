// The inputs that a running agent feeds. Values may come from other programs, so each reader takes what it can use and
// ignores the rest. Accepts several spellings, because other systems have their own.
import { defined } from "../base/defined.ts"
import { turnInput } from "../core/model/section-input.ts"
import { isSignal, type Signal } from "../signal/signal.ts"
import { oneLine } from "./parts.ts"

export interface TaskStep {
  readonly title: string
  readonly done: boolean
}

export interface Task {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly status?: string
  readonly owner?: string
  /** Who requested it, if several people may. */
  readonly by?: string
  readonly steps: readonly TaskStep[]
}

export interface Workflow {
  readonly name: string
  readonly steps: readonly string[]
  /** From 1. Absent if unknown. */
  readonly current?: number
  /** For the current step. */
  readonly notes: readonly string[]
}

export interface Communication {
  readonly formality?: string
  readonly length?: string
  readonly topics: readonly string[]
}

export interface Recalled {
  readonly path?: string
  readonly text: string
}

/** A model's reading of the message. `false`: the message is not read at all. */
export const signalInput = turnInput<Signal | false>("signal", (value) =>
  value === false || isSignal(value) ? value : undefined,
)
/** What memory holds about the message. */
export const recallInput = turnInput<readonly Recalled[], string | readonly (string | Recalled)[]>(
  "recall",
  recalledIn,
)
/** The open tasks of the person. */
export const tasksInput = turnInput("tasks", tasksIn)
/** The workflow that is under way, and its current step. */
export const workflowInput = turnInput("workflow", workflowIn)
/** How a person writes, so that answers can follow it. */
export const communicationInput = turnInput("communication", communicationIn)
/** News for the agent: short lines that are sent with the turn. */
export const bulletinInput = turnInput<readonly string[], string | readonly string[]>("bulletin", textsIn)
/** Tokens left in the conversation. */
export const remainingInput = turnInput("remaining", (value) =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined,
)

/** The names of inputs that may change with every message. A host with all inputs in one object sorts them by this. */
export const TURN_INPUTS: ReadonlySet<string> = new Set([
  ...["message", "plan", "git"],
  ...[signalInput, recallInput, tasksInput, workflowInput, communicationInput, bulletinInput].map(
    ({ name }) => name,
  ),
  remainingInput.name,
])

function tasksIn(value: unknown): readonly Task[] {
  const items = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return items.flatMap((item: unknown): Task[] => {
    const fields = fieldsOf(item)
    const [id, title] = [lineText(fields.id), lineText(fields.title)]
    if (id === undefined || title === undefined) return []
    const steps = Array.isArray(fields.steps) ? fields.steps.flatMap(stepIn) : []
    return [
      {
        id,
        title,
        steps,
        ...defined({
          description: lineText(fields.description),
          status: lineText(fields.status),
          owner: lineText(fields.owner),
          by: lineText(fields.by),
        }),
      },
    ]
  })
}

function stepIn(value: unknown): readonly TaskStep[] {
  if (typeof value === "string") return [{ title: oneLine(value), done: false }]
  const fields = fieldsOf(value)
  const title = lineText(fields.title) ?? lineText(fields.text)
  return title === undefined ? [] : [{ title, done: fields.done === true || fields.status === "done" }]
}

function workflowIn(value: unknown): Workflow | undefined {
  const fields = fieldsOf(value)
  const name = lineText(typeof value === "string" ? value : fields.name)
  if (name === undefined) return undefined
  const current = typeof fields.current === "number" ? fields.current : fields.step
  const texts = { steps: textsIn(fields.steps), notes: textsIn(fields.notes) }
  return { name, ...texts, ...(typeof current === "number" && { current }) }
}

function communicationIn(value: unknown): Communication | undefined {
  const fields = fieldsOf(value)
  const formality = lineText(fields.formality)
  const length = lineText(fields.length ?? fields.avg_length)
  const topics = textsIn(fields.topics)
  if (formality === undefined && length === undefined && topics.length === 0) return undefined
  return { topics, ...defined({ formality, length }) }
}

function recalledIn(value: unknown): readonly Recalled[] {
  const items = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return items.flatMap((item: unknown): Recalled[] => {
    if (typeof item === "string") return item.trim() === "" ? [] : [{ text: item.trim() }]
    const { path, text } = fieldsOf(item)
    if (typeof text !== "string" || text.trim() === "") return []
    return [{ text: text.trim(), ...defined({ path: lineText(path) }) }]
  })
}

/** The texts of a list, or a single text. */
export function textsIn(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : [value]
  return items.flatMap((item: unknown) => lineText(item) ?? [])
}

/** One line. Numbers count as text. */
function lineText(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const text = oneLine(String(value))
  return text === "" ? undefined : text
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  // The caller reads the fields one by one, each as unknown.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

// What the support programs work with: tools, notes about a customer, tasks. A real program has these in a database.
import type { Tool, ToolCall, ToolResult, Trust } from "incipit"

/** What is known about a customer. `trust`: who may hear of it. */
export interface Note {
  text: string
  trust?: Trust
}

export const tools: readonly Tool[] = [
  {
    name: "find_order",
    description: "Looks up an order by its number.",
    parameters: { properties: { number: { type: "string" } }, required: ["number"] },
  },
]

export const notes: Note[] = [
  { text: "Mallory prefers to be written to in English." },
  { text: "Mallory has been a customer since 2019.", trust: "familiar" },
  { text: "Mallory's card was charged back twice.", trust: "full" },
]

export const tasks = ["Find the order.", "Offer a new delivery date."]

/** Runs the calls of one answer. */
export async function runAll(calls: readonly ToolCall[]): Promise<ToolResult[]> {
  return calls.map(({ id, problem, input }) =>
    problem === undefined
      ? { id, output: { order: input, status: "on its way", depot: "Malmö" } }
      : { id, output: problem, isError: true },
  )
}

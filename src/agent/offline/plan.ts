// Writes a plan in the form that plan mode asks for, from the words of the goal. Reads a named file first and changes
// nothing.
import { clipped, linesText, troubleOf } from "./answer.ts"
import { fileNamedIn } from "./files.ts"
import type { Intent, Script } from "./script.ts"
import type { Called, OfflineView } from "./view.ts"

const LONGEST_GOAL = 100

export function planOf(goal: string, intent: Intent | undefined, { tools }: OfflineView): Script {
  const path = fileNamedIn(goal)
  const isReadable = path !== undefined && tools.has("read")
  return {
    steps: isReadable ? [() => [{ tool: "read", input: { path } }]] : [],
    answer: ([read]) => planText({ goal, intent, path, read }),
  }
}

interface PlanFacts {
  readonly goal: string
  readonly intent: Intent | undefined
  readonly path: string | undefined
  readonly read: Called | undefined
}

function planText({ goal, intent, path, read }: PlanFacts): string {
  const by = intent?.tool === undefined ? "" : `, by ${intent.tool}`
  // If a rule fits, keep all its words as one step, since that is what will run.
  const parts = intent === undefined ? goal.split(/(?:[,;.]|(?<!\s))\s+(?:and )?then\s+|;\s+|\.\s+/) : [goal]
  const steps = parts.map(
    (step, at) =>
      `${at + 1}. ${step.replaceAll(/\s+/g, " ")}; touches ${fileNamedIn(step) ?? "no named file"}${by}`,
  )
  return [
    `# Plan: ${clipped(goal.replaceAll(/\s+/g, " "), LONGEST_GOAL)}`,
    "## Steps",
    ...steps,
    "## Risks",
    ...risksOf(path, read),
    "- I only use the words of the request: steps that it does not name are missing here.",
    "## Check",
    path === undefined ? "- Check what the tool returns." : `- Read ${path} again and compare.`,
  ].join("\n")
}

function risksOf(path: string | undefined, read: Called | undefined): readonly string[] {
  if (path === undefined || read === undefined) return []
  const trouble = troubleOf(read)
  if (trouble !== undefined) return [`- ${path} could not be read; ${trouble}`]
  const { length } = read.result?.lines ?? []
  return [`- ${path} has ${linesText(length)} now; replaced text is lost unless it is kept elsewhere.`]
}

// Workflows of the workspace: `workflows/<name>.md` or `.yaml`, a title and numbered steps with notes. Reads and checks
// them; the running agent tracks which one is active, and for whom.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import type { Diagnostic } from "../base/diagnostic.ts"
import { IncipitError } from "../base/error.ts"
import { byCodePoint } from "../base/order.ts"
import { errorCode } from "../base/system-error.ts"
import { fenceLines } from "../base/text/fence.ts"
import { headingOf } from "../base/text/heading.ts"
import { isTrust, mostOf, type Trust } from "../base/trust.ts"
import type { SourceFile } from "../core/model/source.ts"
import { asTrust } from "../files/gate/requirement.ts"
import { fileReader } from "./file-reader.ts"
import { parseYaml } from "./read/yaml-file.ts"
import type { Gathered, Workspace } from "./workspace.ts"

export interface WorkflowStep {
  readonly title: string
  /** Sent while the step is the current one. */
  readonly notes: readonly string[]
}

export interface WorkflowFile {
  readonly name: string
  readonly path: string
  readonly title: string
  readonly trust: Trust
  readonly steps: readonly WorkflowStep[]
}

const EXTENSIONS = [".md", ".yaml", ".yml"]
/** The trust a workflow requires unless it says otherwise. */
const USUAL: Trust = "familiar"
const MOST_STEPS = 100
const LONGEST_TITLE = 300

const text = z.string().trim().min(1)
const yamlSchema = z.object({
  title: text.optional(),
  trust: z.string().optional(),
  steps: z.array(z.union([text, z.object({ title: text, notes: z.string().optional() })])).min(1),
})

/** All workflows in file order. Which of two with the same name counts depends on the audience. */
export function gatherWorkflows(workspace: Workspace): Gathered<readonly WorkflowFile[]> {
  if (!workspace.isFolder) return { value: [], diagnostics: [] }
  const read = fileReader(workspace)
  const folder = join(workspace.folder, "workflows")
  const value = namesIn(folder).flatMap((name) => {
    const isData = !name.endsWith(".md")
    const file = read(join(folder, name), { role: "workflow", trust: USUAL, isData })
    return (file && workflowOf(file, name, read.diagnostics)) ?? []
  })
  return { value, diagnostics: read.diagnostics }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => EXTENSIONS.some((end) => name.endsWith(end)) && !name.startsWith("."))
      .sort(byCodePoint)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

function workflowOf(file: SourceFile, fileName: string, diagnostics: Diagnostic[]): WorkflowFile | undefined {
  if (file.unavailable !== undefined && file.text === "") return undefined
  const name = fileName.slice(0, fileName.lastIndexOf("."))
  const isMarkdown = fileName.endsWith(".md")
  const {
    trust,
    title,
    steps,
    problem,
    diagnostics: odd = [],
  } = isMarkdown ? fromMarkdown(file) : fromYaml(file)
  for (const diagnostic of odd) diagnostics.push({ ...diagnostic, needs: trust })
  if (problem !== undefined)
    diagnostics.push({ code: "bad-workflow", path: file.path, needs: trust, ...problem })
  if (steps.length === 0) return undefined
  return { name, path: file.path, title: title ?? name, trust, steps: steps.slice(0, MOST_STEPS) }
}

interface Parsed {
  readonly trust: Trust
  readonly title?: string | undefined
  readonly steps: readonly WorkflowStep[]
  readonly problem?: { readonly line: number; readonly problem: string } | undefined
  readonly diagnostics?: readonly Diagnostic[]
}

const STEP = /^\d{1,4}[.)]\s+(\S.*)$/

/** A step is a numbered line at the left margin; indented lines below it are its notes; anything else is for people. */
function fromMarkdown(file: SourceFile): Parsed {
  const lines = file.text.split("\n")
  const fenced = fenceLines(lines)
  const steps: { title: string; notes: string[] }[] = []
  let [title, isOpen] = [typeof file.fields.title === "string" ? lineOf(file.fields.title) : "", false]
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue
    const step = fenced[at] ? undefined : STEP.exec(line)?.[1]
    if (step !== undefined) steps.push({ title: lineOf(step), notes: [] })
    else if (isOpen && /^\s/.test(line)) steps.at(-1)?.notes.push(lineOf(line))
    else if (!fenced[at] && title === "") title = lineOf(headingOf(line)?.title ?? "")
    isOpen = step !== undefined || (isOpen && /^\s/.test(line))
  }
  const { firstLine } = file
  // A workflow continues across conversations, so one limited to some situations needs full trust.
  const trust = asTrust(file)
  return { trust, title: title || undefined, steps, problem: problemOf(steps.length, firstLine) }
}

function problemOf(steps: number, line: number): Parsed["problem"] {
  if (steps === 0)
    return { line, problem: "has no numbered steps that start at the left margin; it was left out" }
  if (steps <= MOST_STEPS) return undefined
  return { line, problem: `has ${steps} steps, more than ${MOST_STEPS}; the rest was left out` }
}

function fromYaml(file: SourceFile): Parsed {
  try {
    const { data, diagnostics } = parseYaml(file.text, file.path, yamlSchema, "bad-configuration")
    const steps = data.steps.map((step) =>
      typeof step === "string"
        ? { title: lineOf(step), notes: [] }
        : { title: lineOf(step.title), notes: (step.notes ?? "").split("\n").map(lineOf).filter(Boolean) },
    )
    const own = data.trust === undefined || isTrust(data.trust) ? data.trust : "full"
    // Another name of the file, or a link, can make it require more than it declares.
    const trust = own === undefined || file.trust !== USUAL ? mostOf(own ?? USUAL, file.trust) : own
    return { trust, title: data.title, steps, problem: problemOf(steps.length, 1), diagnostics }
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    // Its restrictions are unknown. The message begins with the path and the line.
    const [, line = "1", rest] = /:(\d+)(?::\d+)?: (.*)$/s.exec(error.message) ?? []
    return { trust: "full", steps: [], problem: { line: Number(line), problem: `${rest}; it was left out` } }
  }
}

function lineOf(line: string): string {
  const points = [...line.replaceAll(/\s+/g, " ").trim()]
  return points.length <= LONGEST_TITLE ? points.join("") : `${points.slice(0, LONGEST_TITLE).join("")}...`
}

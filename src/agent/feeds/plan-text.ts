// Plans as text: when to suggest one, how to find one in an answer, and the format of its file. Does not touch the
// disk.
import type { Digest } from "../../base/digest.ts"
import { digest } from "../../base/digest.ts"
import { wantsPlan } from "../../signal/plan-first.ts"
import { splitFrontMatter } from "../../sources/read/frontmatter.ts"

export const PLAN_STATES = ["proposed", "approved", "changed", "done"] as const
export type PlanState = (typeof PLAN_STATES)[number]

export interface PlanFile {
  /** The file's name without its extension: the day and the goal. */
  readonly name: string
  readonly status: PlanState
  readonly who: string
  readonly session: string
  /** Milliseconds since 1970. */
  readonly created: number
  readonly goal: string
  /** Starts at the plan's heading. */
  readonly text: string
  /** The digest that was approved. A plan whose text has changed since is not approved. */
  readonly approved?: Digest
  /** When the session was last used before the approval: as long as that is so, no message has carried it out. */
  readonly usedAt?: number
}

const RESUME = "Carry out this approved plan. Keep to it; if it turns out wrong, stop and say why."

/** True for work with several parts. Commands need no plan, and neither does the message that carries one out. */
export function shouldPropose(message: string): boolean {
  return !message.startsWith("/") && !message.startsWith(RESUME) && wantsPlan(message)
}

/** The message that tells the model to carry out an approved plan. */
export function resumeText({ text }: Pick<PlanFile, "text">): string {
  return `${RESUME}\n\n${text}`
}

/** The plan in such a message; undefined for any other message. */
export function resumedPlan(message: string): string | undefined {
  return message.startsWith(RESUME) ? message.slice(RESUME.length).trimStart() : undefined
}

const TITLE = /^# Plan:[ \t]*(\S.*)$/
const STEPS = /^## Steps[ \t]*$/
const NUMBERED = /^\d{1,3}[.)][ \t]+\S/

/**
 * The last plan of an answer: from its heading to the next heading of the same rank. A plan needs at least one step.
 */
export function planFrom(answer: string): { readonly goal: string; readonly text: string } | undefined {
  const lines = answer.replaceAll("\r\n", "\n").split("\n")
  const start = lines.findLastIndex((line) => TITLE.test(line))
  const goal = TITLE.exec(lines[start] ?? "")?.[1]?.trim()
  if (goal === undefined) return undefined
  // Some models put the whole plan into a fence.
  const fence = /^(`{3,}|~{3,})/.exec(lines[start - 1] ?? "")?.[1]
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^# /.test(line) || (fence !== undefined && line.startsWith(fence)))
  const body = end === -1 ? rest : rest.slice(0, end)
  const steps = body.findIndex((line) => STEPS.test(line))
  if (steps === -1 || !body.slice(steps).some((line) => NUMBERED.test(line))) return undefined
  return { goal, text: [`# Plan: ${goal}`, ...body].join("\n").trimEnd() }
}

/** A day and a few words, with only characters that are valid in a path on every system. */
export function planName(goal: string, created: number): string {
  const slug = goal
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
  const short = [...slug].slice(0, 40).join("").replace(/-+$/, "")
  return `${new Date(created).toISOString().slice(0, 10)}-${short || "plan"}`
}

export function planText({ status, who, session, created, approved, usedAt, text }: PlanFile): string {
  const fields = [
    `status: ${status}`,
    // JSON is valid YAML, whatever the value contains.
    `who: ${JSON.stringify(who)}`,
    `session: ${JSON.stringify(session)}`,
    `created: ${JSON.stringify(new Date(created).toISOString())}`,
    ...(approved === undefined ? [] : [`approved: ${JSON.stringify(approved)}`]),
    ...(usedAt === undefined ? [] : [`used: ${JSON.stringify(new Date(usedAt).toISOString())}`]),
  ]
  return `---\n${fields.join("\n")}\n---\n${text}\n`
}

export type ParsedPlan =
  | { readonly kind: "plan"; readonly plan: PlanFile; readonly isEdited: boolean }
  | { readonly kind: "bad"; readonly problem: string }

/** Parses a plan file. A plan edited after its approval is marked as changed. */
export function parsePlan(source: string, name: string): ParsedPlan {
  const { fields, body, diagnostics } = splitFrontMatter(source, name)
  const [diagnostic] = diagnostics
  if (diagnostic?.code === "bad-frontmatter") return bad(diagnostic.problem)
  const status = PLAN_STATES.find((state) => state === fields.status)
  const { who, session, created } = fields
  if (status === undefined) return bad(`its status is not one of ${PLAN_STATES.join(", ")}`)
  if (typeof who !== "string" || typeof session !== "string") return bad("it does not say who it belongs to")
  const at = timeIn(created)
  if (at === undefined) return bad("it does not say when it was created")
  const found = planFrom(body)
  if (found === undefined) return bad('it has no "# Plan:" with numbered "## Steps"')
  const facts = { name, who, session, created: at, ...found }
  if (status !== "approved") return { kind: "plan", plan: { ...facts, status }, isEdited: false }
  const approved = digest(found.text)
  return fields.approved === approved
    ? { kind: "plan", plan: { ...facts, status, approved, ...usedIn(fields.used) }, isEdited: false }
    : { kind: "plan", plan: { ...facts, status: "changed" }, isEdited: true }
}

function timeIn(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

function usedIn(value: unknown): Pick<PlanFile, "usedAt"> {
  const usedAt = timeIn(value)
  return usedAt === undefined ? {} : { usedAt }
}

function bad(problem: string): ParsedPlan {
  return { kind: "bad", problem }
}

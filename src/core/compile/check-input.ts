// Checks what a caller passes to the compiler. The types exclude most of these mistakes, but a host may be written in
// JavaScript, where an unknown trust would hide everything and a turn without an id would send nothing new.
import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import { isTrust, TRUSTS } from "../../base/trust.ts"
import type { Counter } from "../model/counter.ts"
import type { Agent, Session, Turn } from "../model/inputs.ts"
import { MODES } from "../model/mode.ts"

type Fields = Readonly<Record<string, unknown>>

/** Throws if it cannot count. */
export function checkCounter(counter: Counter): void {
  const problem = counterProblem(counter)
  if (problem !== undefined) throw new IncipitError("bad-counter", problem)
}

function counterProblem(counter: unknown): string | undefined {
  if (counter === undefined) return "no counter was given"
  if (typeof counter === "function") return "the counter is a function"
  const { name, count, prefix } = fieldsOf(counter)
  if (typeof name !== "string" || typeof count !== "function" || typeof prefix !== "function")
    return "the counter isn't an object with name, count and prefix"
  const tokens: unknown = count.call(counter, "One, two, three.")
  if (Number.isInteger(tokens) && Number(tokens) >= 0) return undefined
  return `the counter "${name}" gives ${String(tokens)} for "One, two, three.", not a whole number of tokens`
}

/** Throws if the value isn't an object, as when a caller leaves it out. */
export function given<T extends object>(name: string, value: T): T {
  const isThere = typeof value === "object" && (value as T | null) !== null
  if (!isThere) throw new IncipitError("bad-input", `the ${name} is missing`)
  return value
}

/** Throws if the agent cannot be compiled. */
export function checkAgent(agent: Agent): void {
  const problem = agentProblem(agent)
  if (problem !== undefined) throw new IncipitError("bad-input", problem)
}

/** Throws if the agent or the session cannot be compiled. */
export function checkSources(agent: Agent, session: Session): void {
  checkAgent(agent)
  const problem = sessionProblem(session)
  if (problem !== undefined) throw new IncipitError("bad-input", problem)
}

function agentProblem(agent: unknown): string | undefined {
  const { id, files, tools, extensions } = fieldsOf(agent)
  if (typeof id !== "string") return "the agent has no id"
  const lists = { files, tools, extensions }
  return (
    listProblem("the agent", lists) ??
    fileProblem("the agent", files) ??
    toolProblem(tools) ??
    trustProblem("the agent", lists)
  )
}

function sessionProblem(session: unknown): string | undefined {
  const { id, audience, files } = fieldsOf(session)
  if (typeof id !== "string") return "the session has no id"
  const { trust, situation, mode } = fieldsOf(audience)
  const isComplete = typeof situation === "string" && MODES.some((known) => known === mode)
  if (!isComplete && trust === undefined)
    return 'the session has no audience, such as { trust: "public", situation: "dm", mode: "full" }'
  return (
    trustWord("the session's audience", trust) ??
    (typeof situation === "string" ? undefined : "the session's audience has no situation") ??
    (isComplete
      ? undefined
      : `the session's audience has the mode ${shown(mode)}; use ${MODES.join(", ")}`) ??
    listProblem("the session", { files }) ??
    fileProblem("the session", files) ??
    trustProblem("the session", { files })
  )
}

function listProblem(what: string, lists: Fields): string | undefined {
  const missing = Object.entries(lists).find(([, list]) => !Array.isArray(list))
  return missing && `${what} has no list of ${missing[0]}; pass ${missing[0]}: [] if there are none`
}

function fileProblem(what: string, files: unknown): string | undefined {
  const at = listOf(files).findIndex((file) => {
    const { role, path, text } = fieldsOf(file)
    return typeof role !== "string" || typeof path !== "string" || typeof text !== "string"
  })
  return at === -1
    ? undefined
    : `file ${at + 1} of ${what} has no role, path and text; readFiles from incipit/sources makes such objects`
}

function toolProblem(tools: unknown): string | undefined {
  for (const [at, tool] of listOf(tools).entries()) {
    const { name, description, parameters } = fieldsOf(tool)
    if (typeof name !== "string" || typeof description !== "string" || !isRecord(parameters))
      return `tool ${at + 1} isn't { name, description, parameters }, with a JSON Schema as parameters${otherForm(fieldsOf(tool))}`
    if (isValidator(parameters))
      return `the tool "${name}" has a validator as parameters, not a JSON Schema; with Zod, pass z.toJSONSchema(schema)`
  }
  return undefined
}

/** A JSON Schema has no functions; the schemas of Zod and others do. */
function isValidator(parameters: Fields): boolean {
  return "_zod" in parameters || Object.values(parameters).some((value) => typeof value === "function")
}

/** Tools in the form of an SDK. */
function otherForm(tool: Fields): string {
  if ("function" in tool) return "; pass what is in its function"
  const other = ["input_schema", "inputSchema", "input"].find((key) => key in tool)
  return other === undefined ? "" : `; its schema belongs in parameters, not in ${other}`
}

/** Of files, tools and extensions: a misspelled trust would hide the item from everyone. */
function trustProblem(what: string, lists: Fields): string | undefined {
  for (const [name, list] of Object.entries(lists)) {
    for (const item of listOf(list)) {
      const { trust, path, name: own } = fieldsOf(item)
      if (trust === undefined || isTrust(trust)) continue
      return trustWord(`${shown(path ?? own)} in the ${name} of ${what}`, trust)
    }
  }
  return undefined
}

function trustWord(what: string, trust: unknown): string | undefined {
  if (isTrust(trust)) return undefined
  const found = trust === undefined ? "no trust" : `the trust ${shown(trust)}`
  return `${what} has ${found}; use ${TRUSTS.join(", ")}`
}

/** Throws if the turn cannot be compiled. */
export function checkTurn(turn: Turn): void {
  const { id, now, timeZone } = fieldsOf(turn)
  const problem =
    (typeof id === "string" && id !== "" ? undefined : "the turn has no id; each turn needs its own") ??
    (typeof now === "number" && Number.isFinite(now)
      ? undefined
      : `the turn's now must be a number, milliseconds since 1970, not ${shown(now)}`) ??
    (typeof timeZone === "string" ? undefined : 'the turn has no timeZone, such as "Europe/Stockholm"')
  if (problem !== undefined) throw new IncipitError("bad-input", problem)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

function shown(value: unknown): string {
  return value instanceof Date ? "a Date" : (JSON.stringify(value) ?? String(value))
}

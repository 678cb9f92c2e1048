// Checks the options of an agent before anything is opened. The types exclude these mistakes, but a program may be
// written in JavaScript, where a misspelled option would have no effect.
import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import { misspelled } from "../../base/nearest.ts"
import type { AgentOptions } from "./agent.ts"

/** What `typeof` says of each option; `list` for arrays, `any` for what is checked where it is used. */
const OPTIONS: Readonly<
  Record<keyof AgentOptions, "string" | "boolean" | "function" | "object" | "list" | "any">
> = {
  workspace: "string",
  agent: "string",
  model: "any",
  profile: "any",
  prompt: "any",
  directory: "string",
  home: "string",
  env: "object",
  timeZone: "string",
  now: "function",
  inputs: "object",
  tools: "list",
  hooks: "list",
  approve: "function",
  fill: "function",
  notify: "function",
  trouble: "function",
  deliver: "function",
  watch: "function",
  log: "object",
  wait: "function",
  random: "function",
  state: "string",
  database: "string",
  store: "any",
  record: "boolean",
  memory: "boolean",
  limits: "object",
}

/** Throws if an option has no effect or cannot be used. */
export function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    const problem = value === undefined ? undefined : problemOf(name, value)
    if (problem !== undefined) throw new IncipitError("bad-option", problem)
  }
}

function problemOf(name: string, value: unknown): string | undefined {
  // The names of other options are unknown.
  const wanted: string | undefined = Object.hasOwn(OPTIONS, name)
    ? OPTIONS[name as keyof AgentOptions]
    : undefined
  if (wanted === undefined) {
    const meant = misspelled(name, Object.keys(OPTIONS))
    return `openAgent has no option "${name}"${meant === undefined ? "" : `; did you mean ${meant}?`}`
  }
  if (name === "profile" && isRecord(value) && typeof value.resume === "function")
    return "the profile is a prompt of definePrompt; pass it as the option prompt"
  const found = Array.isArray(value) ? "list" : typeof value
  return wanted === "any" || wanted === found
    ? undefined
    : `the option ${name} of openAgent must be ${NAMES[wanted] ?? wanted}, not ${NAMES[found] ?? found}`
}

const NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  boolean: "true or false",
  function: "a function",
  object: "an object",
  list: "a list",
  number: "a number",
}

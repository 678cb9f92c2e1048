// What a Nova agent may change about itself, as edits of its JSON files: `instructions` and `responsibilities` in
// agent.json, and facts in memories.json, which all agents share. The rest of a file keeps its order and indentation.
import { isRecord } from "../../base/is-record.ts"
import { lineOf } from "../../core/model/source.ts"
import { readJson } from "../read/json-text.ts"
import type { FactsPlace, InstructionsPlace, ResponsibilitiesPlace, Rewritten } from "./editable-places.ts"

type Fields = Readonly<Record<string, unknown>>

export function novaInstructions(path: string): InstructionsPlace {
  return {
    path,
    part: "instructions",
    read: (file) => trimmedText(agentIn(file)?.instructions),
    write(file, instructions) {
      const agent = agentIn(file)
      if (agent === undefined) return problem("agent.json is missing or isn't a JSON object")
      // Nova sends no instructions to agents of its older kind.
      if (trimmedText(agent.identity) === undefined)
        return problem("agent.json has no identity, and Nova sends instructions only with one; add it first")
      return { kind: "text", text: written({ ...agent, instructions: instructions.trimEnd() }, file) }
    },
  }
}

export function novaResponsibilities(path: string): ResponsibilitiesPlace {
  const listIn = (agent: Fields | undefined) =>
    Array.isArray(agent?.responsibilities) ? agent.responsibilities : []
  return {
    path,
    titles: (file) => listIn(agentIn(file)).flatMap((item: unknown) => titleOf(item) ?? []),
    without(file, title) {
      const agent = agentIn(file)
      const list = listIn(agent)
      const at = list.findIndex((item: unknown) => titleOf(item) === title.trim())
      return at === -1 ? undefined : written({ ...agent, responsibilities: list.toSpliced(at, 1) }, file)
    },
  }
}

export function novaFacts(path: string): FactsPlace {
  return {
    path,
    add(file, given) {
      const fact = given.replaceAll(/\s+/g, " ").trim()
      const list = file === undefined ? [] : parsed(file)
      if (!Array.isArray(list)) return problem("memories.json isn't a JSON array")
      if (list.some((known: unknown) => typeof known === "string" && known.trim() === fact)) return undefined
      const text = written([...list, fact], file)
      const read = readJson(text)
      return { kind: "text", text, line: read.kind === "read" ? lineOf(read.lines, [list.length]) : 1 }
    },
  }
}

function agentIn(file: string | undefined): Fields | undefined {
  const value = file === undefined ? undefined : parsed(file)
  return isRecord(value) ? value : undefined
}

function titleOf(item: unknown): string | undefined {
  return isRecord(item) ? trimmedText(item.title) : undefined
}

/** Trimmed, as in the prompt. */
function trimmedText(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : ""
  return text === "" ? undefined : text
}

/** Returns undefined if the text isn't JSON. */
function parsed(file: string): unknown {
  try {
    return JSON.parse(file.replace(/^\uFEFF/, ""))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** With the file's indentation; two spaces in a new file. */
function written(value: unknown, before: string | undefined): string {
  const [, indent = "  "] = /^[[{][^\S\n]*\r?\n([ \t]+)\S/.exec((before ?? "").trimStart()) ?? []
  return `${JSON.stringify(value, undefined, indent)}\n`
}

function problem(text: string): Rewritten {
  return { kind: "problem", problem: text }
}

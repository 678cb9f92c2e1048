// From the sections of `definePrompt` to what the compiler takes: a profile, and an agent with its files and tools.

import { defined } from "../base/defined.ts"
import type { Diagnostic } from "../base/diagnostic.ts"
import { IncipitError } from "../base/error.ts"
import { isRecord } from "../base/is-record.ts"
import { contentFrom, resultOf } from "../core/model/build-sections.ts"
import type { Content } from "../core/model/content.ts"
import type { Agent, Tool } from "../core/model/inputs.ts"
import type { Profile } from "../core/model/profile.ts"
import type { AnySectionSpec } from "../core/model/section.ts"
import { readInput, sessionInput, turnInput } from "../core/model/section-input.ts"
import { allOf, type SourceFile } from "../core/model/source.ts"
import { type Markup, tags } from "../core/write/markup.ts"
import type { AnyDefinedSection, SectionSource } from "./defined-section.ts"
import type { PromptSection, PromptSections } from "./prompt-inputs.ts"
import { builtFrom, type SectionText } from "./section-text.ts"

/** What the functions of one pace returned, by section. Null instead of undefined, so that it is plain JSON. */
export type Texts = Readonly<Record<string, Content | null>>

/** Texts are inputs like any other, so that the compiler sees data and not functions. */
export const SESSION_TEXTS = sessionInput("incipit/texts", textsIn)
export const TURN_TEXTS = turnInput("incipit/texts", textsIn)

/** Only chats and agents feed them. */
function textsIn(value: unknown): Texts {
  return value as Texts
}

export interface DefinitionOptions {
  readonly name: string
  readonly sections: PromptSections
  readonly tools: readonly Tool[]
  readonly markup: Markup | undefined
}

/** What the sections of a prompt become: a profile, and an agent with their files. */
export interface Definition {
  readonly profile: Profile
  readonly agent: Agent
  readonly sections: PromptSections
  /** What reading the files found. */
  readonly diagnostics: readonly Diagnostic[]
}

export function defineProfile({ name, sections, tools, markup = tags }: DefinitionOptions): Definition {
  const entries = Object.entries(sections)
  for (const [id, section] of entries) checkSection(id, section)
  const sources = entries.flatMap(([id, section]) =>
    isDefined(section) && section.source.kind === "files" ? [{ id, ...section.source }] : [],
  )
  return {
    profile: { name, order: "paced", markup, sections: entries.map(([id, section]) => specOf(id, section)) },
    agent: {
      id: name,
      // The role is the section's id, so a file can be in two sections.
      files: sources.flatMap(({ id, files }) => files.map((file) => ({ ...file, role: id }))),
      tools,
      extensions: [],
    },
    sections,
    diagnostics: sources.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** Calls the functions of one pace, once for the same inputs: what happens to an input later changes nothing. */
export function writeTexts(
  { sections }: Pick<Definition, "sections">,
  pace: "session" | "turn",
  inputs: object,
): Texts {
  const texts = Object.entries(sections).flatMap(([id, section]) => {
    if (!isDefined(section) || section.pace !== pace || section.source.kind !== "function") return []
    // The types of `open`, `update`, `say` and `openAgent` demand what the functions take.
    const write = section.source.write as (inputs: object) => SectionText
    const text = resultOf(() => write(inputs), { id, got: inputNames(inputs) })
    return [[id, contentFrom(() => builtFrom(text), { id }) ?? null] as const]
  })
  return Object.fromEntries(texts)
}

/** A missing input is the commonest reason why a function fails. */
function inputNames(inputs: object): string {
  const names = Object.keys(inputs)
  return names.length === 0 ? "it got no inputs" : `its inputs: ${names.join(", ")}`
}

/** The types exclude these, but a program may be written in JavaScript. The compiler checks the rest. */
function checkSection(id: string, section: unknown): void {
  if (typeof section !== "object" || section === null)
    throw badSection(
      id,
      `is ${section === null ? "null" : `a ${typeof section}`}; use text, perSession, perTurn or files`,
    )
  const problem = "source" in section ? sourceProblem(section.source) : undefined
  if (problem !== undefined) throw badSection(id, problem)
  // After `resume` there would be no turn inputs that its `build` could read.
  if (!("source" in section) && "pace" in section && section.pace === "turn")
    throw badSection(id, "has the pace turn; use perTurn")
}

function sourceProblem(source: unknown): string | undefined {
  const { kind, text, write }: Readonly<Record<string, unknown>> = isRecord(source) ? source : {}
  if (kind === "text" && typeof text !== "string")
    return `has ${text instanceof Promise ? "a promise (wait for it first)" : `a value of type ${typeof text}`} as its text; text takes a string`
  if (kind === "function" && typeof write !== "function")
    return "has no function; perSession and perTurn take one that returns the text"
  return undefined
}

function badSection(id: string, problem: string): IncipitError {
  return new IncipitError("bad-section", `the section "${id}" ${problem}`)
}

function isDefined(section: PromptSection): section is AnyDefinedSection {
  return "source" in section
}

function specOf(id: string, section: PromptSection): AnySectionSpec {
  if (!isDefined(section)) return { ...section, id }
  const { source } = section
  const facts = { id, ...(source.kind === "files" && { reads: [id] }) }
  if (section.pace === "stable")
    return {
      ...facts,
      ...defined(section.options),
      pace: "stable",
      build: ({ agent }) => textIn(source, { id, files: agent.files }),
    }
  if (section.pace === "session")
    return {
      ...facts,
      ...defined(section.options),
      pace: "session",
      build: ({ agent, session }) =>
        textIn(source, { id, files: agent.files, texts: readInput(session, SESSION_TEXTS) }),
    }
  return {
    ...facts,
    ...defined(section.options),
    pace: "turn",
    build: ({ agent, turn }) =>
      textIn(source, { id, files: agent.files, texts: readInput(turn, TURN_TEXTS) }),
  }
}

interface Known {
  readonly id: string
  /** What the audience may see. */
  readonly files: readonly SourceFile[]
  readonly texts?: Texts | undefined
}

function textIn(source: SectionSource, { id, files, texts }: Known): string | Content | undefined {
  if (source.kind === "text") return source.text
  if (source.kind === "files") return source.write(allOf(files, id))
  return texts !== undefined && Object.hasOwn(texts, id) ? (texts[id] ?? undefined) : undefined
}

// Small builders for tests of the core. Every field has a plain default, so a test sets only what it is about.
import { digest } from "../../src/base/digest.ts"
import type { TextPart } from "../../src/core/model/content.ts"
import { counterFrom } from "../../src/core/model/counter.ts"
import type { Agent, Audience, Session, Tool, Turn } from "../../src/core/model/inputs.ts"
import type { Profile } from "../../src/core/model/profile.ts"
import type { AnySectionSpec, Section, SectionSpec } from "../../src/core/model/section.ts"
import { type Input, readInput, turnInput } from "../../src/core/model/section-input.ts"
import { allOf, bodyContent, bodyOf, firstOf, type SourceFile } from "../../src/core/model/source.ts"
import { tags } from "../../src/core/write/markup.ts"

/** One token per UTF-16 unit, so that the numbers in a test can be checked by eye. */
export const chars = counterFrom("chars", (text) => text.length)

export function makeFile(facts: Partial<SourceFile> & { readonly role: string }): SourceFile {
  const path = facts.path ?? `${facts.role.toUpperCase()}.md`
  const text = facts.text ?? `The ${facts.role}.`
  return {
    path,
    identity: path,
    trust: "public",
    firstLine: 1,
    digest: digest(text),
    fields: {},
    ...facts,
    text,
  }
}

export function makeTool(name: string, facts: Partial<Tool> = {}): Tool {
  return { name, description: `Does ${name}.`, parameters: { type: "object" }, ...facts }
}

export function makeAgent(facts: Partial<Agent> = {}): Agent {
  return { id: "main", files: [], tools: [], extensions: [], ...facts }
}

export function makeSession({
  audience,
  ...facts
}: Partial<Omit<Session, "audience">> & { readonly audience?: Partial<Audience> } = {}): Session {
  return {
    id: "s1",
    files: [],
    ...facts,
    audience: { trust: "full", situation: "dm", mode: "full", ...audience },
  }
}

export function makeTurn(facts: Partial<Turn> = {}): Turn {
  return { id: "t1", now: 0, timeZone: "UTC", ...facts }
}

/** A stable section that shows the first file whose role is the section's id. */
export function fileSection(id: string, facts: Partial<SectionSpec<"stable">> = {}): SectionSpec<"stable"> {
  return {
    id,
    pace: "stable",
    priority: "high",
    trust: "public",
    cut: "whole",
    reads: [id],
    build: ({ agent }) => bodyContent(firstOf(agent.files, id)),
    ...facts,
  }
}

/** A stable section that shows every file whose role is the section's id, separated by newlines. */
export function filesSection(id: string, facts: Partial<SectionSpec<"stable">> = {}): SectionSpec<"stable"> {
  return fileSection(id, {
    build: ({ agent }) => {
      const bodies = allOf(agent.files, id).filter(({ text }) => text !== "")
      const parts = bodies.flatMap((file, at) => (at === 0 ? [bodyOf(file)] : [{ text: "\n" }, bodyOf(file)]))
      return parts.length === 0 ? undefined : { parts }
    },
    ...facts,
  })
}

/** A session section that shows the session's first file whose role is the section's id. */
export function sessionSection(
  id: string,
  facts: Partial<SectionSpec<"session">> = {},
): SectionSpec<"session"> {
  return {
    id,
    pace: "session",
    priority: "high",
    trust: "public",
    cut: "whole",
    reads: [id],
    build: ({ session }) => bodyContent(firstOf(session.files, id)),
    ...facts,
  }
}

export function textInput(name: string): Input<"turn", string> {
  return turnInput(name, (value) => (typeof value === "string" ? value : undefined))
}

/** A turn section that shows the turn's input with the section's id. */
export function turnSection(id: string, facts: Partial<SectionSpec<"turn">> = {}): SectionSpec<"turn"> {
  return {
    id,
    pace: "turn",
    priority: "high",
    trust: "public",
    cut: "whole",
    build: ({ turn }) => {
      const text = readInput(turn, textInput(id))
      return text === undefined ? undefined : { parts: [{ text }] }
    },
    ...facts,
  }
}

/** A section as an edit adds it. */
export function makeSection(id: string, text: string, facts: Partial<Section> = {}): Section {
  const content = { parts: [{ text }] }
  return { id, pace: "turn", priority: "high", trust: "public", cut: "whole", content, ...facts }
}

export function makeProfile(sections: readonly AnySectionSpec[], facts: Partial<Profile> = {}): Profile {
  return { name: "test", order: "paced", markup: tags, sections, ...facts }
}

/** The body of a file as one part, starting at line `firstLine`. */
export function makePart(text: string, firstLine = 1): TextPart {
  return bodyOf(makeFile({ role: "notes", path: "NOTES.md", text, firstLine }))
}

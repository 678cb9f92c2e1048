// Trees of files, and requests that quote them the way real clients do: the same headings and tags, with our own words.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createSourceMap } from "../../../src/capture/attribute/source-map.ts"
import type { CapturedCall, Client, Format, SeenFile } from "../../../src/capture/call.ts"
import type { OwnedSpan } from "../../../src/capture/owner.ts"
import type { CallPart } from "../../../src/capture/split/part.ts"
import { createSplitter } from "../../../src/capture/split/splitter.ts"
import { counterFrom } from "../../../src/core/model/counter.ts"
import type { JsonObject } from "../../../src/record/write/request-marks.ts"

const LETTERS = counterFrom("letters", (text) => text.length)

export function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

export interface Quote {
  readonly path: string
  readonly text: string
}

/** A request that quotes some files, as one client does it. */
export interface Envelope {
  readonly client: Client
  readonly format: Format
  readonly instructions: string
  readonly request: (quotes: readonly Quote[], more?: string) => JsonObject
}

const OWN =
  "You are a careful helper that was made for this test and has a prompt of its own.\n\n# Manner\nAnswer in few words and name what you have read."

export const ENVELOPES: readonly Envelope[] = [
  {
    client: "claude-code",
    format: "anthropic",
    instructions: "CLAUDE.md",
    request: (quotes, more = "") => ({
      system: [{ type: "text", text: OWN }],
      messages: [
        {
          role: "user",
          content: [
            {
              type: "text",
              text: `<system-reminder>\nWhat people want from you stands below.\n\n${quotes.map(({ path, text }) => `Contents of ${path} (instructions of the project):\n\n${text}`).join("\n\n")}\n</system-reminder>`,
            },
            { type: "text", text: "What is this?" },
          ],
        },
        { role: "system", content: `# Environment\nYou are in a folder.\n${more}` },
      ],
    }),
  },
  {
    client: "codex",
    format: "openai-responses",
    instructions: "AGENTS.md",
    request: (quotes, more = "") => ({
      instructions: OWN,
      input: [
        ...quotes.map(({ path, text }) => ({
          ...{ type: "message", role: "user" },
          content: [
            {
              type: "input_text",
              text: `# AGENTS.md instructions for ${dirname(path)}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`,
            },
          ],
        })),
        {
          type: "message",
          role: "developer",
          content: [{ type: "input_text", text: `<skills_instructions>\n${more}\n</skills_instructions>` }],
        },
        { type: "message", role: "user", content: [{ type: "input_text", text: "What is this?" }] },
      ],
    }),
  },
  {
    client: "pi",
    format: "anthropic",
    instructions: "AGENTS.md",
    request: (quotes, more = "") => ({
      system: `${OWN}\n\n<project_context>\n${quotes.map(({ path, text }) => `<project_instructions path="${path}">\n${text}\n</project_instructions>`).join("\n\n")}\n</project_context>\n\n${more}\n<cwd>\n/somewhere\n</cwd>`,
      messages: [{ role: "user", content: "What is this?" }],
    }),
  },
  {
    client: "opencode",
    format: "openai-chat",
    instructions: "AGENTS.md",
    request: (quotes, more = "") => ({
      messages: [
        {
          role: "system",
          content: `${OWN}\n${quotes.map(({ path, text }) => `Instructions from: ${path}\n${text}`).join("\n")}\nSkills are described here.\n${more}`,
        },
        { role: "user", content: "What is this?" },
      ],
    }),
  },
  {
    client: "gemini-cli",
    format: "google",
    instructions: "GEMINI.md",
    request: (quotes, more = "") => ({
      systemInstruction: { parts: [{ text: OWN }] },
      contents: [
        {
          role: "user",
          parts: [
            {
              text: `<session_context>\nWe are setting up.\n${quotes.map(({ path, text }) => `--- Context from: ${path} ---\n${text}\n--- End of Context from: ${path} ---`).join("\n")}\n${more}\n</session_context>`,
            },
          ],
        },
        { role: "user", parts: [{ text: "What is this?" }] },
      ],
    }),
  },
]

export interface Asked {
  readonly client: Client
  readonly format: Format
  readonly project: string
  readonly home: string
  readonly files?: readonly SeenFile[]
}

export interface OwnedPart {
  readonly part: CallPart
  readonly spans: readonly OwnedSpan[]
}

function capturedCall({ client, format, project, files = [] }: Asked): CapturedCall {
  return {
    ...{
      id: "1",
      client,
      session: "s",
      project,
      at: 0,
      model: "m",
      thread: "t",
      format,
      coverage: "exact",
      files,
    },
    usage: { uncached: 0, read: 0, write: {}, output: 0 },
  }
}

/** The owners of requests, one after the other, by one map. */
export async function ownersOf(
  requests: readonly JsonObject[],
  asked: Asked,
): Promise<readonly (readonly OwnedPart[])[]> {
  const split = createSplitter({ counter: LETTERS })
  const map = createSourceMap({ home: asked.home, counter: LETTERS })
  const all: OwnedPart[][] = []
  for (const request of requests) {
    const one = split(request, asked.format)
    const owned = await map.owners(capturedCall(asked), one)
    all.push(one.parts.map((part, at) => ({ part, spans: owned[at] ?? [] })))
  }
  return all
}

/** One line for each span. */
export function shown(parts: readonly OwnedPart[], project: string): string {
  const lines = parts.flatMap(({ part, spans }) =>
    spans.map(({ start, end, owner }) => {
      const { kind, path, lines: at, name, server, match } = owner
      const text = JSON.stringify(part.text.slice(start, end)).replaceAll(project, ".")
      const said = text.length > 60 ? `${text.slice(0, 40)}…${text.slice(-18)}` : text
      const facts = [
        kind,
        path?.replace(project, "."),
        at?.join("-"),
        server,
        name,
        match === "exact" ? "" : match,
      ]
      return `${facts.filter((fact) => fact !== undefined && fact !== "").join(" ")}: ${said}`
    }),
  )
  return lines.join("\n")
}

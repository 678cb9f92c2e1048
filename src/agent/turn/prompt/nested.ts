// Context of the folders and paths that the agent touches: instructions that apply only there. The tail of the next
// step includes each file once, unless the model has just read or written that very file; from the next epoch on it is
// in the head.
import { relative } from "node:path"
import type { Edit } from "../../../core/model/edit.ts"
import type { Session } from "../../../core/model/inputs.ts"
import type { Message } from "../../../core/model/message.ts"
import { allOf, bodyContent, type SourceFile } from "../../../core/model/source.ts"
import { plainName } from "../../../core/view/envelope.ts"
import { tagName } from "../../../core/write/markup.ts"
import { realPath } from "../../../files/real-path.ts"
import { contextPolicy } from "../../../sources/config/defaults.ts"
import { contextFor } from "../../../sources/context/context.ts"
import { contextTop } from "../../../sources/context/context-top.ts"
import { workspaceGate } from "../../../sources/workspace-gate.ts"
import type { GatherSources } from "../../setup/prompt-sources.ts"

export interface NestedSources extends Pick<GatherSources, "secrets"> {
  readonly workspace: Pick<GatherSources["workspace"], "current" | "directory">
}

/** Context for the folders or paths of touched files that is not in the prompt yet. */
export function nestedContext(
  { workspace: { current, directory }, secrets }: NestedSources,
  session: Session,
  touched: readonly string[],
): readonly SourceFile[] {
  const workspace = current()
  if (touched.length === 0 || !workspace.isFolder) return []
  const { config, home } = workspace
  const gate = workspaceGate(workspace, [directory])
  const { files } = contextFor(touched, {
    directory,
    top: contextTop(workspace, directory),
    policy: contextPolicy(config),
    known: new Set(session.files.map(({ identity }) => identity)),
    trust: "familiar",
    access: { gate, audience: session.audience, person: session.person },
    ...(home !== undefined && { home }),
  })
  return secrets.within(allOf(files, "context"))
}

/** Edits of pace `turn`, so that any profile takes them. `messages`: the conversation, the newest message last. */
export function nestedEdits(
  files: readonly SourceFile[],
  directory: string,
  messages: readonly Message[],
): readonly Edit[] {
  if (files.length === 0) return []
  const [from, seen] = [realPath(directory), newestLines(messages)]
  const taken = new Set<string>()
  return files.map((file): Edit => {
    const path = file.path.startsWith("~") ? file.path : relative(from, file.path) || file.path
    return {
      kind: "add",
      by: "context",
      section: {
        id: idFor(path, taken),
        tag: { name: "context", attributes: { path } },
        title: `Context: ${plainName(path)}`,
        pace: "turn",
        priority: "high",
        trust: "public",
        cut: "lines",
        onChange: "step",
        budget: "head",
        content: bodyContent(file),
        ...(seen.some((lines) => holds(lines, file.text)) && { inConversation: true }),
      },
    }
  })
}

/** As readable as an id can be. Equal ids are numbered in the order in which their paths were touched. */
function idFor(path: string, taken: Set<string>): string {
  const words = path
    .split(/[/\\]/)
    .map((name) => name.replaceAll(/[^A-Za-z0-9_]+/g, "-").replaceAll(/^-+|-+$/g, ""))
  const plain = ["context", ...words.filter((word) => word !== "")].join("/")
  let id = plain
  for (let count = 2; taken.has(tagName(id)); count += 1) id = `${plain}-${count}`
  taken.add(tagName(id))
  return id
}

/** What the model read and wrote with its newest calls, each text as lines. */
function newestLines(messages: readonly Message[]): readonly (readonly string[])[] {
  const newest = messages.at(-1)?.parts.some(({ kind }) => kind === "tool-result") ? messages.slice(-2) : []
  const texts = newest.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.kind === "tool-result") return part.isError ? [] : [part.text]
      return part.kind === "tool-call" ? stringsIn(part.input) : []
    }),
  )
  return texts.map(linesOf)
}

function stringsIn(input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null) return []
  return Object.values(input).filter((value) => typeof value === "string")
}

/**
 * Whether `lines` contains all lines of the text in order. The prompt leaves out frontmatter and comments, which a
 * reader shows.
 */
function holds(lines: readonly string[], text: string): boolean {
  let at = 0
  return linesOf(text).every((line) => {
    at = lines.indexOf(line, at) + 1
    return at > 0
  })
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
}

// Parsers for what hooks return. Each takes a value of any shape and returns its meaning, or throws one line that says
// what is wrong. Nothing is repaired.
import { TRUSTS } from "../base/trust.ts"
import { type Content, type Part, textContent } from "../core/model/content.ts"
import type { Edit } from "../core/model/edit.ts"
import { TURN_ON_CHANGES } from "../core/model/on-change.ts"
import { PRIORITIES } from "../core/model/priority.ts"
import { CUTS, SECTION_DEFAULTS, type Section } from "../core/model/section.ts"
import type {
  AuthoredMessage,
  BeforeAgentStartResult,
  NamedHooks,
  ResourcesResult,
  ToolCallResult,
  ToolResultResult,
} from "./hooks.ts"
import { type Fields, fieldsOf, listOf, oneOf, recordOf, requiredText, wordOf } from "./shape.ts"

/** The answer to `before_agent_start`, with its author. */
export interface StartAnswer extends Pick<BeforeAgentStartResult, "systemPrompt"> {
  readonly edits: readonly Edit[]
  readonly messages: readonly AuthoredMessage[]
}

export function startAnswer(answer: unknown, module: NamedHooks): StartAnswer {
  const { edits, messages, systemPrompt } = answerOf(answer, ["edits", "messages", "systemPrompt"])
  return {
    edits: listOf(edits ?? [], "edits").map((edit) => editOf(edit, module)),
    messages: listOf(messages ?? [], "messages").map((message) => authoredMessage(message, module)),
    ...(systemPrompt !== undefined && { systemPrompt: requiredText(systemPrompt, "systemPrompt") }),
  }
}

export function toolCallAnswer(answer: unknown): ToolCallResult {
  const { block, reason, input } = answerOf(answer, ["block", "reason", "input"])
  // Pi's form is `block: true` with a separate reason. A guard must not fail because of its spelling.
  const why = block === true ? (reason ?? "a hook blocks it") : block === false ? undefined : block
  return {
    ...(why !== undefined && { block: requiredText(why, "block") }),
    ...(input !== undefined && { input }),
  }
}

export function toolResultAnswer(answer: unknown): ToolResultResult {
  const { text, isError } = answerOf(answer, ["text", "isError"])
  if (isError !== undefined && typeof isError !== "boolean") throw new TypeError("isError is not a boolean")
  return {
    ...(text !== undefined && { text: requiredText(text, "text") }),
    ...(isError !== undefined && { isError }),
  }
}

export function resourcesAnswer(answer: unknown): Required<ResourcesResult> {
  const { skillFolders, promptFolders } = answerOf(answer, ["skillFolders", "promptFolders"])
  return {
    skillFolders: listOf(skillFolders ?? [], "skillFolders").map((path) => wordOf(path, "a skill folder")),
    promptFolders: listOf(promptFolders ?? [], "promptFolders").map((path) =>
      wordOf(path, "a prompt folder"),
    ),
  }
}

export function authoredMessage(message: unknown, { name, trust }: NamedHooks): AuthoredMessage {
  const { text, data } = fieldsOf(message, "a message", ["text", "data"])
  return {
    text: wordOf(text, "the text of a message"),
    ...(data !== undefined && { data }),
    by: name,
    ...(trust !== undefined && { trust }),
  }
}

function editOf(value: unknown, module: NamedHooks): Edit {
  const { kind, trust = module.trust } = recordOf(value, "an edit")
  const base = { by: module.name, ...(trust !== undefined && { trust: oneOf(TRUSTS, trust, "trust") }) }
  const fields = (...known: string[]) =>
    fieldsOf(value, `an edit of kind "${kind}"`, ["kind", "trust", ...known])
  if (kind === "add") {
    const { section, after } = fields("section", "after")
    const anchor = after === undefined ? {} : { after: wordOf(after, "after") }
    return { ...base, kind, section: sectionOf(section, base), ...anchor }
  }
  if (kind === "replace") {
    const { id, content } = fields("id", "content")
    const filled = contentOf(content, "content")
    if (filled === undefined) throw new TypeError('the content is blank; use "remove" to remove a section')
    return { ...base, kind, id: wordOf(id, "id"), content: filled }
  }
  if (kind === "wrap") {
    const { id, before, after } = fields("id", "before", "after")
    const [above, below] = [contentOf(before ?? "", "before"), contentOf(after ?? "", "after")]
    return {
      ...base,
      kind,
      id: wordOf(id, "id"),
      ...(above && { before: above }),
      ...(below && { after: below }),
    }
  }
  if (kind === "remove") return { ...base, kind, id: wordOf(fields("id").id, "id") }
  throw new TypeError(`an edit has the unknown kind "${kind}"`)
}

const SECTION_KEYS = ["id", "content", "priority", "trust", "cut", "onChange", "title"]

function sectionOf(value: unknown, edit: Pick<Edit, "trust">): Section {
  const fields = fieldsOf(value, "a section", SECTION_KEYS)
  const {
    id,
    content,
    priority = SECTION_DEFAULTS.priority,
    trust = edit.trust ?? SECTION_DEFAULTS.trust,
    cut = SECTION_DEFAULTS.cut,
    onChange,
    title,
  } = fields
  return {
    id: wordOf(id, "the id of a section"),
    pace: "turn",
    priority: oneOf(PRIORITIES, priority, "priority"),
    trust: oneOf(TRUSTS, trust, "trust"),
    cut: oneOf(CUTS, cut, "cut"),
    ...(onChange !== undefined && { onChange: oneOf(TURN_ON_CHANGES, onChange, "onChange") }),
    ...(title !== undefined && { title: requiredText(title, "title") }),
    content: contentOf(content, "content"),
  }
}

/** Other fields of a content, such as diagnostics, are reserved for the compiler. */
function contentOf(value: unknown, what: string): Content | undefined {
  if (typeof value === "string") return textContent(value)
  const { parts, shorter } = recordOf(value, what)
  const content = { parts: listOf(parts, `${what}.parts`).map(partOf) }
  if (shorter === undefined) return content
  const forms = listOf(shorter, `${what}.shorter`).map((form) => contentOf(form, what))
  return { ...content, shorter: forms.filter((form) => form !== undefined) }
}

function partOf(value: unknown): Part {
  const { slot, text, from, trust, when } = fieldsOf(value, "a part", [
    "slot",
    "text",
    "from",
    "trust",
    "when",
  ])
  const only = when === undefined ? {} : { when: listOf(when, "when").map((id) => wordOf(id, "when")) }
  if (slot !== undefined) return { slot: wordOf(slot, "slot"), ...only }
  return {
    text: requiredText(text, "the text of a part"),
    ...(from !== undefined && { from: fileOf(from) }),
    ...(trust !== undefined && { trust: oneOf(TRUSTS, trust, "trust") }),
    ...only,
  }
}

/** A hook may name the file that a text comes from, but not another author. */
function fileOf(
  value: unknown,
): Extract<NonNullable<Extract<Part, { text: string }>["from"]>, { kind: "file" }> {
  const { kind, path, identity, lines, digest } = recordOf(value, "from")
  const [first, last] = listOf(lines, "from.lines")
  const sum = requiredText(digest, "from.digest")
  const isWhole = Number.isSafeInteger(first) && Number.isSafeInteger(last)
  if (kind !== "file" || !isWhole || !isDigest(sum)) throw new TypeError("from is not a file's provenance")
  return {
    kind,
    path: requiredText(path, "from.path"),
    identity: requiredText(identity, "from.identity"),
    lines: [Number(first), Number(last)],
    digest: sum,
  }
}

function isDigest(text: string): text is `sha256:${string}` {
  return text.startsWith("sha256:")
}

/** No return value is valid: it changes nothing. */
function answerOf(answer: unknown, known: readonly string[]): Fields {
  return answer === undefined || answer === null ? {} : fieldsOf(answer, "the answer", known)
}

// Changes of incipit.yaml that keep its comments and its form: sections, the budget of the head, the model.
import { join } from "node:path"
import { applyPatch, structuredPatch } from "diff"
import { type Document, parseDocument } from "yaml"
import { IncipitError } from "../../../base/error.ts"
import { shownFrom } from "../../../files/inside.ts"
import { MAIN_AGENT } from "../../../files/paths.ts"
import { configSchema } from "../../../sources/config/config-schema.ts"
import { parseYaml } from "../../../sources/read/yaml-file.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import type { WhatIfChanges } from "./what-if-shown.ts"
import { type WorkspaceText, workspaceText } from "./workspace-text.ts"

export interface ConfigChange {
  readonly file: WorkspaceText
  readonly after: string
}

/** Why incipit.yaml cannot be changed here; undefined if it can. */
export function configProblem(workspace: Workspace): string | undefined {
  const file = workspaceText(workspace, "incipit.yaml")
  return typeof file === "string" ? file : undefined
}

/** The changed files: the workspace's own, and that of a further agent, which has its own model and budget. */
export function changedConfig(
  workspace: Workspace,
  changes: WhatIfChanges,
): readonly ConfigChange[] | string {
  const { sections = {}, head, model } = changes
  const own: Edit[] = [
    ...(model === undefined ? [] : [{ keys: ["model"], value: model }]),
    ...(head === undefined ? [] : [{ keys: ["budget", "head"], value: head }]),
  ]
  const shared = Object.entries(sections).flatMap(([id, wish]) => sectionEdits(workspace, id, wish))
  const agentsFile = shownFrom(join(workspace.folder, "incipit.yaml"), workspace.root)
  const asked: readonly (readonly [string, readonly Edit[]])[] =
    workspace.id === MAIN_AGENT
      ? [["incipit.yaml", [...own, ...shared]]]
      : [
          ["incipit.yaml", shared],
          [agentsFile, own],
        ]
  const changed: ConfigChange[] = []
  for (const [path, edits] of asked) {
    if (edits.length === 0) continue
    const file = workspaceText(workspace, path)
    if (typeof file === "string") return file
    const after = edited(file.text, edits)
    const problem = configError(after, path)
    if (problem !== undefined) return problem
    changed.push({ file, after })
  }
  return changed
}

interface Edit {
  readonly keys: readonly string[]
  /** Undefined removes it. */
  readonly value: string | number | undefined
}

type SectionWish = NonNullable<WhatIfChanges["sections"]>[string]

function sectionEdits({ config }: Workspace, id: string, wish: SectionWish): readonly Edit[] {
  const keys = ["prompt", "sections", id]
  const now = config.prompt?.sections?.[id]
  if (wish === "on") return now === "off" || now === false ? [{ keys, value: undefined }] : []
  if (wish === "off") return [{ keys, value: "off" }]
  // A file has precedence only where no text is given, and the section's other settings stay.
  return [{ keys: [...keys, "text"], value: wish.text }]
}

/**
 * The library writes the whole document again, in its own form. So that lines which nobody changed stay as they are, the
 * difference between what it writes before and after the change is applied to the text.
 */
function edited(text: string, edits: readonly Edit[]): string {
  const document = parseDocument(text)
  const before = written(document)
  for (const edit of edits) apply(document, edit)
  const after = written(document)
  if (before === text || text.trim() === "") return after
  const patch = structuredPatch("", "", before, after, "", "", { context: 1 })
  const kept = applyPatch(text, patch, { fuzzFactor: 2 })
  return kept !== false && isSame(kept, after) ? kept : after
}

const FORM = { lineWidth: 0, flowCollectionPadding: true } as const

function written(document: Document): string {
  return document.contents === null ? "" : document.toString(FORM)
}

function apply(document: Document, { keys, value }: Edit): void {
  if (value === undefined) {
    removeWithEmpty(document, keys)
    return
  }
  // What stands in the way is a word such as "off", or nothing at all: `prompt:` without a value.
  for (let depth = 1; depth < keys.length; depth += 1) {
    const path = keys.slice(0, depth)
    const found: unknown = document.getIn(path)
    if (typeof found !== "object" || found === null) document.setIn(path, document.createNode({}))
  }
  document.setIn(keys, value)
}

/** A map that this leaves empty goes, too. */
function removeWithEmpty(document: Document, keys: readonly string[]): void {
  document.deleteIn(keys)
  for (let depth = keys.length - 1; depth > 0; depth -= 1) {
    const parent = document.getIn(keys.slice(0, depth))
    if (typeof parent !== "object" || parent === null || !("items" in parent)) return
    if (!Array.isArray(parent.items) || parent.items.length > 0) return
    document.deleteIn(keys.slice(0, depth))
  }
}

function isSame(a: string, b: string): boolean {
  const one = parseDocument(a)
  return one.errors.length === 0 && JSON.stringify(one.toJS()) === JSON.stringify(parseDocument(b).toJS())
}

function configError(text: string, path: string): string | undefined {
  try {
    parseYaml(text, path, configSchema, "bad-configuration")
    return undefined
  } catch (error) {
    if (error instanceof IncipitError) return `The change is not valid: ${error.message}.`
    throw error
  }
}

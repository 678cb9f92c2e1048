// Changes of incipit.yaml that keep its comments and its form: sections, the budget of the head, the model.
import { join } from "node:path"
import { IncipitError } from "../../../base/error.ts"
import { shownFrom } from "../../../files/inside.ts"
import { MAIN_AGENT } from "../../../files/paths.ts"
import { configSchema } from "../../../sources/config/config-schema.ts"
import { parseYaml } from "../../../sources/read/yaml-file.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import type { WhatIfChanges } from "./what-if-shown.ts"
import { type WorkspaceText, workspaceText } from "./workspace-text.ts"
import { editedYaml, type YamlEdit } from "./yaml-edit.ts"

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
  const own: YamlEdit[] = [
    ...(model === undefined ? [] : [{ keys: ["model"], value: model }]),
    ...(head === undefined ? [] : [{ keys: ["budget", "head"], value: head }]),
  ]
  const shared = Object.entries(sections)
    .flatMap(([id, wish]) => sectionEdits(workspace, id, wish))
    // Nothing is removed as empty that gets something else.
    .toSorted((a, b) => Number(a.value === undefined) - Number(b.value === undefined))
  const agentsFile = shownFrom(join(workspace.folder, "incipit.yaml"), workspace.root)
  const asked: readonly (readonly [string, readonly YamlEdit[]])[] =
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
    const after = editedYaml(file.text, edits)
    const problem = configError(after, path)
    if (problem !== undefined) return problem
    changed.push({ file, after })
  }
  return changed
}

type SectionWish = NonNullable<WhatIfChanges["sections"]>[string]

function sectionEdits({ config }: Workspace, id: string, wish: SectionWish): readonly YamlEdit[] {
  const keys = ["prompt", "sections", id]
  const now = config.prompt?.sections?.[id]
  if (wish === "on") return now === "off" || now === false ? [{ keys, value: undefined }] : []
  if (wish === "off") return [{ keys, value: "off" }]
  // A file has precedence only where no text is given, and the section's other settings stay.
  return [{ keys: [...keys, "text"], value: wish.text }]
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

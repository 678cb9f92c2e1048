// Explains why a file in or near a skills folder is not a skill: it isn't one, it is in a place that is not searched,
// or it belongs to another skill. Whether the prompt lists a gathered skill is a different question.
import { basename, dirname } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Agent, Session } from "../../core/model/inputs.ts"
import type { Unread } from "../../core/read/explain.ts"
import { isInside } from "../../files/inside.ts"
import { realPath } from "../../files/real-path.ts"
import { skillFolders } from "../systems/incipit-agent.ts"
import { projectSkillFolders } from "../systems/incipit-session.ts"
import type { Workspace } from "../workspace.ts"
import { COMMANDS_FOLDER } from "./skills.ts"

interface Looked {
  readonly workspace: Workspace
  readonly directory: string
  readonly agent: Pick<Agent, "skills">
  readonly session: Pick<Session, "skills">
  readonly diagnostics: readonly Diagnostic[]
}

/** `path` is real. */
export function whyNoSkill(path: string, looked: Looked): Unread | undefined {
  const { workspace, directory, agent, session, diagnostics } = looked
  const owner = [...(agent.skills ?? []), ...(session.skills ?? [])].find(
    ({ location }) => basename(location) === "SKILL.md" && isInside(path, dirname(location)),
  )
  if (owner !== undefined) return { kind: "part-of-skill", skill: owner.name }
  const folders = [...skillFolders(workspace), ...projectSkillFolders(workspace, directory)]
  const holder = folders.find((folder) => isInside(path, realPath(folder.path)))
  const isSkill = basename(path) === "SKILL.md"
  if (holder === undefined) return isSkill ? { kind: "no-skill", reason: "place" } : elsewhere(path)
  const at = realPath(holder.path)
  const shown = `${holder.shown}${path.slice(at.length).replaceAll("\\", "/")}`
  const isEmpty = diagnostics.some(
    (diagnostic) => diagnostic.code === "skill-without-description" && diagnostic.path === shown,
  )
  if (isEmpty) return { kind: "no-skill", reason: "no-description" }
  if (isSkill) return { kind: "no-skill", reason: "ignored" }
  return path.endsWith(".md") && dirname(path) === at ? { kind: "no-skill", reason: "note" } : undefined
}

function elsewhere(path: string): Unread | undefined {
  const isCommand = path.replaceAll("\\", "/").includes(`/${COMMANDS_FOLDER}/`) && path.endsWith(".md")
  return isCommand ? { kind: "no-skill", reason: "command-place" } : undefined
}

// Prompts that hooks found and a person calls by name: Markdown files, gated like skills. They are not in the agent's
// prompt; a called one becomes the person's own message.
import type { Skill } from "../../core/model/inputs.ts"
import { view } from "../../core/view/view.ts"
import { filledPrompt } from "../../core/write/prompt-arguments.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { readSource } from "../../sources/read/file.ts"
import { splitFrontMatter } from "../../sources/read/frontmatter.ts"
import { inspectText } from "../../sources/read/inspect.ts"
import { gatherSkills } from "../../sources/skills/skills.ts"
import { gatherAgent, NO_MEMORY } from "../../sources/systems/gather-agent.ts"
import { gatherSession } from "../../sources/systems/gather-session.ts"
import { workspaceGate } from "../../sources/workspace-gate.ts"
import type { Services } from "./services.ts"

export type ReusableSources = Pick<Services, "resources" | "workspace" | "secrets" | "approvals">

/** The prompts that this sender's session may use; of two with one name, the one found first. */
export function promptsFor(
  { resources, workspace, secrets, approvals }: ReusableSources,
  from: Sender,
): readonly Skill[] {
  const folders = resources.promptFolders()
  if (folders.length === 0) return []
  const current = workspace.current()
  const { skills } = gatherSkills(folders, undefined, workspaceGate(current))
  const system = workspace.system()
  const approved = approvals.directories()
  // All files count, because one of them may be a prompt under another name, and need more trust.
  const agent = gatherAgent(current, { system, approved, memory: NO_MEMORY }).value
  const facts = { ...from, directory: workspace.directory, system, approved, known: agent.files }
  const session = gatherSession(current, facts).value
  return view({ ...agent, skills: secrets.within(skills) }, session).agent.skills
}

/** The message for a call: the file's text with the words filled in. Returns undefined if there is no such prompt. */
export function promptText(
  sources: ReusableSources,
  name: string,
  given: string,
  from: Sender,
): string | undefined {
  const found = promptsFor(sources, from).find((one) => one.name === name)
  if (found === undefined) return undefined
  const { location, path, digest } = found
  const roots = sources.resources.promptFolders().flatMap((folder) => folder.roots)
  const read = readSource(location, { roots, shown: path })
  // The file may have changed since it was listed, and now be for other people.
  if (read.kind !== "read" || read.digest !== digest) return undefined
  const { text } = inspectText(read.text, { path, firstLine: 1, isOwn: false })
  return filledPrompt(sources.secrets.redact(splitFrontMatter(text, path).body.trim()), given)
}

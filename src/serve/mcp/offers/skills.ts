// The workspace's skills by the skills extension of the protocol: agents load one when its description fits their task.
// Each has its SKILL.md alone; other files of its folder have no trust of their own.
import type { McpServer } from "@modelcontextprotocol/server"
import {
  type Skill as ListedSkill,
  SkillsExtension,
  skillEntry,
} from "@modelcontextprotocol/server/ext/skills"
import type { Skill } from "../../../core/model/inputs.ts"
import type { McpServing } from "../mcp-view.ts"
import { guarded } from "../told-of-failure.ts"
import { pageOf } from "./list-page.ts"
import { seenWorkspace, textOfSkill } from "./seen-workspace.ts"

/** As the standard for skills has them. Others can still be used as prompts. */
const STANDARD_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export function offerSkills(server: McpServer, { view, failed }: McpServing): void {
  const usable = async () =>
    (await seenWorkspace(view())).skills.filter(
      ({ name, manual }) => manual !== true && STANDARD_NAME.test(name),
    )
  const find = async (uri: string) => (await usable()).find(({ name }) => uriOf(name) === uri)
  const extension = new SkillsExtension({
    // What is wrong with a skill is a diagnostic of the workspace, which `check` says.
    onWarning: () => {},
    source: {
      list: guarded(failed, async ({ cursor }) => {
        const { page, ...next } = pageOf(await usable(), cursor)
        const skills = await Promise.all(page.map(listed))
        return { skills: skills.filter((skill) => skill !== undefined), ...next }
      }),
      get: guarded(failed, async (uri) => {
        const skill = await find(uri)
        return skill && listed(skill)
      }),
      read: guarded(failed, async (uri) => {
        const skill = await find(uri)
        const text = skill && textOfSkill(skill)
        return text && { text: text.whole, mimeType: "text/markdown" }
      }),
    },
  })
  extension.attach(server)
}

function uriOf(name: string): string {
  return `skill://${name}/SKILL.md`
}

/** Undefined if its file is not a skill of the standard. */
async function listed(skill: Skill): Promise<ListedSkill | undefined> {
  const text = textOfSkill(skill)
  if (text === undefined) return undefined
  try {
    return await skillEntry(skill.name, { "SKILL.md": text.whole })
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

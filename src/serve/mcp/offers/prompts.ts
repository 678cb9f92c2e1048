// The workspace's skills as prompts: what a person starts by name. Read anew with every request, because files change.
import type { McpServer } from "@modelcontextprotocol/server"
import type { McpServing } from "../mcp-view.ts"
import { guarded } from "../told-of-failure.ts"
import { badInput } from "../tools/mcp-tool.ts"
import { pageOf } from "./list-page.ts"
import { seenWorkspace, textOfSkill } from "./seen-workspace.ts"

const MOST_WORDS = 20_000
const WORDS = { name: "words", description: "What to do, in your own words.", required: false }

export function offerPrompts({ server }: McpServer, { view, failed }: McpServing): void {
  server.setRequestHandler(
    "prompts/list",
    guarded(failed, async ({ params }) => {
      const { skills } = await seenWorkspace(view())
      const { page, ...next } = pageOf(skills, params?.cursor)
      return {
        prompts: page.map(({ name, description }) => ({ name, description, arguments: [WORDS] })),
        ...next,
      }
    }),
  )
  server.setRequestHandler(
    "prompts/get",
    guarded(failed, async ({ params }) => {
      const { skills } = await seenWorkspace(view())
      const skill = skills.find(({ name }) => name === params.name)
      const text = skill && textOfSkill(skill)
      if (skill === undefined || text === undefined) throw badInput(`there is no prompt ${params.name}`)
      const words = (params.arguments?.[WORDS.name] ?? "").slice(0, MOST_WORDS)
      const whole = words === "" ? text.body : `${text.body.trimEnd()}\n\n${words}\n`
      return {
        description: skill.description,
        messages: [{ role: "user" as const, content: { type: "text" as const, text: whole } }],
      }
    }),
  )
}

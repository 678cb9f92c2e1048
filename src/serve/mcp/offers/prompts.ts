// The workspace's skills as prompts: what a person starts by name. Read anew with every request, because files change.
import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import type { McpView } from "../mcp-view.ts"
import { pageOf, seenWorkspace, textOfSkill } from "./seen-workspace.ts"

const MOST_WORDS = 20_000
const WORDS = { name: "words", description: "What to do, in your own words.", required: false }

export function offerPrompts({ server }: McpServer, view: McpView): void {
  server.setRequestHandler("prompts/list", async ({ params }) => {
    const { skills } = await seenWorkspace(view)
    const found = pageOf(skills, params?.cursor)
    if (found === undefined) throw invalid("the cursor isn't one of this list")
    const { page, ...next } = found
    return {
      prompts: page.map(({ name, description }) => ({ name, description, arguments: [WORDS] })),
      ...next,
    }
  })
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const { skills } = await seenWorkspace(view)
    const skill = skills.find(({ name }) => name === params.name)
    const text = skill && textOfSkill(skill)
    if (skill === undefined || text === undefined) throw invalid(`there is no prompt ${params.name}`)
    const words = (params.arguments?.[WORDS.name] ?? "").slice(0, MOST_WORDS)
    const whole = words === "" ? text.body : `${text.body.trimEnd()}\n\n${words}\n`
    return {
      description: skill.description,
      messages: [{ role: "user" as const, content: { type: "text" as const, text: whole } }],
    }
  })
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

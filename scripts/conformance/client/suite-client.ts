// What the suite wants a client to do, with the agent's own client: `node suite-client.ts URL`. It lists the tools and calls
// each, as a model would: with what the scenario says, or with the least that its schema wants. Where the client says that
// the person has to sign in, the person does.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { openMcp } from "../../../src/agent/mcp/mcp.ts"
import { signIn } from "../../../src/agent/mcp/sign-in/sign-in.ts"
import { signInsIn } from "../../../src/agent/mcp/sign-in/stored-sign-ins.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import type { RunnableTool } from "../../../src/tools/define-tool.ts"
import type { ToolHost } from "../../../src/tools/host.ts"
import type { ToolContext } from "../../../src/tools/tool-context.ts"
import { filledIn } from "./filled-form.ts"
import { leastInput } from "./least-input.ts"
import { receivedSchema } from "./received-schema.ts"

/** What some scenarios give a client to know. */
interface Context {
  readonly toolCalls?: readonly {
    readonly name: string
    readonly arguments: Readonly<Record<string, unknown>>
  }[]
  readonly client_id?: string
  readonly client_secret?: string
}

/** The description of a client that the suite knows, as a person may have put one on a server of their own. */
const DESCRIPTION = "https://conformance-test.local/client-metadata.json"
/** A person gives up, too. */
const MOST_SIGN_INS = 3

const url = process.argv.at(-1) ?? ""
const context: Context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}")
const folder = mkdtempSync(join(tmpdir(), "incipit-conformance-"))
const record = openRecord(join(folder, "record.db"))
const secrets = createSecrets()
const signIns = signInsIn(join(folder, "mcp"))
const { client_id: client = DESCRIPTION, client_secret: secret } = context
const oauth = { client, ...(secret !== undefined && { secret }) }
const config = { suite: { url, oauth, tools: { "*": "allow" as const } } }
const mcp = openMcp(config, {
  ...{ root: folder, env: process.env, limitMs: 20_000, taken: [], secrets, signIns },
  trouble: ({ level, text }) => process.stderr.write(`${level}: ${text}\n`),
  changed: () => {},
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
})
let signedIn = 0

await mcp.settled
if (needsSignIn(mcp.servers()[0]?.error) && (await signedInByPerson())) await mcp.use(config, { again: true })
for (const { name, arguments: input } of await wantedCalls()) await call(name, input)
await mcp.close()
await record.close()
rmSync(folder, { recursive: true })

async function wantedCalls(): Promise<NonNullable<Context["toolCalls"]>> {
  if (context.toolCalls !== undefined) return context.toolCalls
  const calls = mcp.tools().map(({ name, parameters }) => ({ name, arguments: leastInput(parameters) }))
  if (!calls.some(({ name }) => name === "json_schema_echo")) return calls
  const schema = await receivedSchema(url, "json_schema_2020_12_tool")
  return [{ name: "json_schema_echo", arguments: { schema } }]
}

async function call(name: string, input: unknown): Promise<void> {
  const tool = mcp.tools().find((one) => one.name === name)
  const said = tool === undefined ? `there is no tool ${name}` : await answerOf(tool, input)
  process.stdout.write(`${said}\n`)
  if (needsSignIn(said) && (await signedInByPerson())) await call(name, input)
}

/** What the model is told. */
async function answerOf(tool: RunnableTool, input: unknown): Promise<string> {
  // Nothing else of the agent is needed by these tools.
  const host = {
    redact: secrets.redact,
    ask: async (question) => filledIn(question),
  } as Partial<ToolHost> as ToolHost
  const caller: ToolContext = {
    ...{ session: "suite", trust: "full", situation: "dm", isOwner: true, timeZone: "UTC" },
    ...{ record, now: Date.now, counter: o200k, host },
  }
  try {
    return await tool.run(input, caller)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function needsSignIn(text = ""): boolean {
  return text.includes("incipit mcp login")
}

/** Opens the page in a browser that says yes to everything. Returns false if it failed. */
async function signedInByPerson(): Promise<boolean> {
  signedIn += 1
  if (signedIn > MOST_SIGN_INS) return false
  try {
    await signIn({
      ...{ url, headers: {}, oauth, signIns, secrets, limitMs: 20_000 },
      ...{ signal: new AbortController().signal, now: Date.now },
      show: (page) => void fetch(page).catch((error: unknown) => process.stderr.write(`${error}\n`)),
    })
    return true
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return false
  }
}

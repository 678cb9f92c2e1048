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

/** Long enough for a busy machine. */
const LIMIT_MS = 120_000

const url = process.argv.at(-1) ?? ""
const context: Context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}")
const folder = mkdtempSync(join(tmpdir(), "incipit-conformance-"))
const record = openRecord(join(folder, "record.db"))
const secrets = createSecrets()
const signIns = signInsIn(join(folder, "mcp"))
const { client_id: client = DESCRIPTION, client_secret: secret } = context
const oauth = { client, ...(secret !== undefined && { secret }) }
const config = { suite: { url, oauth, tools: { "*": "allow" as const } } }
/** What the person reads. */
let isSignInWanted = false
let signedIn = 0
const mcp = openMcp(config, {
  ...{ root: folder, env: process.env, limitMs: LIMIT_MS, taken: [], secrets, signIns },
  trouble({ level, text }) {
    isSignInWanted ||= text.includes("incipit mcp login")
    process.stderr.write(`${level}: ${text}\n`)
  },
  changed: () => {},
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
})

await mcp.settled
await signedInAsWanted(() => mcp.use(config, { again: true }))
for (const { name, arguments: input } of await wantedCalls()) {
  await call(name, input)
  await signedInAsWanted(() => call(name, input))
}
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

/** As often as the client says so. Then `work` is done, which said so. */
async function signedInAsWanted(work: () => Promise<void>): Promise<void> {
  while (isSignInWanted && signedIn < MOST_SIGN_INS) {
    isSignInWanted = false
    signedIn += 1
    if (await signedInByPerson()) await work()
  }
}

/** Opens the page in a browser that says yes to everything. Returns false if it failed. */
async function signedInByPerson(): Promise<boolean> {
  try {
    await signIn({
      ...{ url, headers: {}, oauth, signIns, secrets, limitMs: LIMIT_MS },
      ...{ signal: new AbortController().signal, now: Date.now },
      show: (page) => void fetch(page).catch((error: unknown) => process.stderr.write(`${error}\n`)),
    })
    return true
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return false
  }
}

// `npm run clients`: installs real clients from npm into a cache folder, runs them against a fake provider on a network
// that has only loopback, and compares what the project's own readers and bill say with what crossed the wire. Not part
// of `npm test`: the clients are large. What they send is other people's text and is never committed.
import { mkdirSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import type { CaptureReader } from "../../src/capture/clients/reader.ts"
import { READERS } from "../../src/capture/clients/readers.ts"
import { openOwnServer } from "../conformance/own/own-server.ts"
import { scriptOptions } from "../script-options.ts"
import { CHECKS, type Check, type CheckName, printChecks } from "./check.ts"
import { checkCostState } from "./checks/cost-state.ts"
import { checkInstalled, isBuilt } from "./checks/installed.ts"
import { COLD_TASKS, COLD_TURNS, checkColdCall, checkMemoryTool, MEMORY_TASKS } from "./checks/mcp-tools.ts"
import { checkChanges, checkSteady } from "./checks/misses.ts"
import { checkOwners } from "./checks/owners.ts"
import { readCalls } from "./checks/read-calls.ts"
import { checkRebuilt, checkUsage } from "./checks/rebuilt.ts"
import { billOf, readMachine, wireReader } from "./checks/session-bill.ts"
import { checkWrapped } from "./checks/wrapped.ts"
import { REAL_CLIENTS } from "./clients/clients.ts"
import { checkClaudeAgent } from "./hosts/check-claude-agent.ts"
import { installPackage, unpackPackage } from "./install.ts"
import { LARGE_TREES, writeLargeTree } from "./large-trees.ts"
import { isOffline, runOffline } from "./namespace.ts"
import type { RealClient } from "./real-client.ts"
import { keptSession, runSession, type Session, type SessionOptions } from "./run-client.ts"
import { writeSampleTree } from "./sample-tree.ts"
import { CHANGES } from "./scenario.ts"
import { createSlots } from "./slots.ts"

const NAMES = `Clients: ${REAL_CLIENTS.map(({ name }) => name).join(", ")}.
Checks: ${CHECKS.join(", ")}.`
const USAGE = `npm run clients -- [--dir DIR] [--client NAME]… [--only CHECK]… [--keep] [--again]
--again checks what an earlier run with --keep has left, without starting a client.
${NAMES}`
const values = scriptOptions(USAGE, {
  dir: { type: "string" },
  client: { type: "string", multiple: true },
  only: { type: "string", multiple: true },
  keep: { type: "boolean", default: false },
  again: { type: "boolean", default: false },
})
const usual = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "incipit-clients")
const cache = resolve(values.dir ?? usual)
const clients = REAL_CLIENTS.filter(({ name }) => values.client?.includes(name) ?? true)
const wanted = CHECKS.filter((name) => values.only?.includes(name) ?? true)
const sessions = join(cache, "sessions")
const sample = join(sessions, "sample")
const slots = createSlots(2)
const STEADY_TURNS = 20
const PROGRAM = fileURLToPath(new URL("../../bin/incipit.js", import.meta.url))
/** The clients that are told of our MCP server, over stdio and over HTTP. */
const MCP_CLIENTS: readonly RealClient["client"][] = ["claude-code", "codex"]

process.exitCode = isOffline() || values.again ? await runChecks() : await runOutside()

/** What needs the network: everything is fetched before the clients lose it. */
async function runOutside(): Promise<number> {
  if (clients.length === 0 || wanted.length === 0) {
    console.error(`Nothing to do.\n${NAMES}`)
    return 2
  }
  if (wanted.includes("installed") && !isBuilt()) {
    console.error("The check `installed` starts the built program: run `npm run build` first.")
    return 2
  }
  for (const client of clients) await installPackage(cache, client)
  if (wanted.includes("owners")) for (const { spec } of LARGE_TREES) await unpackPackage(cache, spec)
  const status = await runOffline()
  if (status !== undefined) return status
  console.error("Skipped: this machine does not permit a network namespace (unshare --net, ip link).")
  return 0
}

async function runChecks(): Promise<number> {
  if (!values.again) {
    rmSync(sessions, { recursive: true, force: true })
    mkdirSync(sessions, { recursive: true })
    writeSampleTree(sample)
  }
  const checks = (await Promise.all(clients.map(checksOf))).flat().filter(({ name }) => wanted.includes(name))
  printChecks(checks)
  if (values.keep || values.again) console.log(`Sessions are kept in ${sessions}.`)
  else rmSync(sessions, { recursive: true, force: true })
  return checks.every(({ holds }) => holds) ? 0 : 1
}

async function checksOf(client: RealClient): Promise<readonly Check[]> {
  const needs = (...names: readonly CheckName[]) => names.some((name) => wanted.includes(name))
  const parts = await Promise.all([
    needs("rebuilt", "usage", "steady") ? steadyChecks(client) : [],
    needs("changes") ? changedChecks(client) : [],
    needs("owners") ? ownerChecks(client) : [],
    needs("wrapped") ? wrappedChecks(client) : [],
    needs("mcp") ? mcpChecks(client) : [],
    needs("installed") ? installedChecks(client) : [],
    needs("adapter") ? adapterChecks(client) : [],
  ])
  return parts.flat()
}

async function steadyChecks(client: RealClient): Promise<readonly Check[]> {
  const turns = Array.from({ length: STEADY_TURNS }, () => undefined)
  const session = await run(client, "steady", { tree: sample, turns })
  const checks: Check[] = [...failedTurns(session, "steady")]
  for (const source of sourcesOf(session)) {
    const read = await readCalls(source.readers, session, source.folders)
    if (source.from !== "wire") {
      if (source.exact) checks.push(checkRebuilt(session, source.from, read))
      checks.push(checkUsage(session, source.from, read))
      if (source.from === "files") checks.push(...checkCostState(session, read.usages))
    }
    const bill = await billOf(session, source.readers, source.folders)
    checks.push(checkSteady(session, { ...source, bill, usages: read.usages }))
  }
  return checks
}

async function changedChecks(client: RealClient): Promise<readonly Check[]> {
  // Two turns before the first change, and one after each before the next.
  const turns = [undefined, undefined, ...CHANGES.flatMap((change) => [change, undefined])]
  const session = await run(client, "changes", { tree: sample, turns })
  const checks: Check[] = [...failedTurns(session, "changes")]
  for (const source of sourcesOf(session)) {
    const { usages } = await readCalls(source.readers, session, source.folders)
    const bill = await billOf(session, source.readers, source.folders)
    checks.push(...checkChanges(session, { ...source, bill, usages }))
  }
  return checks
}

async function ownerChecks(client: RealClient): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const [at, tree] of LARGE_TREES.entries()) {
    const folder = join(sessions, "trees", client.name, tree.name)
    writeLargeTree(tree, await unpackPackage(cache, tree.spec), { folder, file: client.instructions })
    const session = await run(client, `owners-${tree.name}`, { tree: folder, turns: [undefined, undefined] })
    const other = LARGE_TREES[(at + 1) % LARGE_TREES.length] ?? tree
    checks.push(...failedTurns(session, "owners"))
    checks.push(...(await checkOwners(session, tree.name, await unpackPackage(cache, other.spec))))
  }
  return checks
}

async function wrappedChecks(client: RealClient): Promise<readonly Check[]> {
  // Its configuration alone says where its calls go: `wrap` tells so.
  if (client.client === "openclaw") return []
  const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
  // A library is started by its own program, of which `wrap` cannot know that it writes body files.
  const how = client.bin === "node" ? ["--bodies"] : []
  const starter = [process.execPath, main, "wrap", ...how, "--json", "--"]
  const session = await run(client, "wrapped", { tree: sample, turns: [undefined], starter })
  return [...failedTurns(session, "wrapped"), checkWrapped(session)]
}

async function mcpChecks(client: RealClient): Promise<readonly Check[]> {
  if (!MCP_CLIENTS.includes(client.client)) return []
  const overStdio = (tree: string) => ({
    server: { name: "incipit", command: process.execPath, args: [PROGRAM, "mcp", "--workspace", tree] },
  })
  const asked = { tree: sample, turns: MEMORY_TASKS.map(() => undefined), tasks: MEMORY_TASKS }
  const local = await run(client, "mcp-stdio", { ...asked, servers: overStdio })
  const own = await openOwnServer()
  const overHttp = () => ({ webServer: { name: "incipit", url: `${own.url}/mcp`, secret: own.secret } })
  const served = await run(client, "mcp-http", { ...asked, servers: overHttp })
  const checks = [
    checkMemoryTool(local, "stdio", local.place.tree),
    checkMemoryTool(served, "http", own.workspace),
  ]
  await own.close()
  const cold = await run(client, "mcp-cold", {
    ...{ tree: sample, turns: COLD_TURNS, tasks: COLD_TASKS, servers: overStdio },
    starter: [process.execPath, PROGRAM, "wrap", "--proxy", "--json", "--"],
  })
  return [
    ...[local, served, cold].flatMap((session) => failedTurns(session, "mcp")),
    ...checks,
    checkColdCall(cold),
  ]
}

async function installedChecks(client: RealClient): Promise<readonly Check[]> {
  if (values.again) return []
  const folder = join(sessions, `${client.name}.installed`)
  const modules = join(cache, "npm", client.name, "node_modules")
  return slots.use(async () => checkInstalled({ client, modules, folder }))
}

/** Of the hosts that are too large for `npm test`. */
async function adapterChecks(client: RealClient): Promise<readonly Check[]> {
  if (values.again || client.client !== "agent-sdk") return []
  const folder = join(sessions, `${client.name}.adapter`)
  const modules = join(cache, "npm", client.name, "node_modules")
  return slots.use(() => checkClaudeAgent(modules, folder))
}

async function run(
  client: RealClient,
  name: string,
  how: Pick<SessionOptions, "tree" | "turns" | "starter" | "tasks" | "servers">,
): Promise<Session> {
  const folder = join(sessions, `${client.name}.${name}`)
  const modules = join(cache, "npm", client.name, "node_modules")
  if (values.again) return keptSession(client, folder)
  return runSession({ client, modules, folder, slots, ...how })
}

/** Where the calls of a session can be read from. */
function sourcesOf(session: Session) {
  const { client, place } = session
  const machine = readMachine(session)
  const isBodies = (reader: CaptureReader) => reader.folders(machine).includes(place.bodies)
  // The SDK keeps the transcripts of Claude Code.
  const keeper = client.client === "agent-sdk" ? "claude-code" : client.client
  const own = READERS.filter((reader) => reader.client === keeper && !isBodies(reader))
  const bodies = READERS.filter((reader) => reader.client === client.client && isBodies(reader))
  return [
    { from: "files", readers: own, folders: undefined, exact: client.exact },
    ...(client.exact ? [{ from: "bodies", readers: bodies, folders: [place.bodies], exact: true }] : []),
    { from: "wire", readers: [wireReader(session)], folders: undefined, exact: true },
  ].filter(({ readers }) => readers.length > 0)
}

function failedTurns({ client, failures }: Session, name: CheckName): readonly Check[] {
  return failures.map((result) => ({
    name,
    client: client.name,
    from: "run",
    what: "the client",
    holds: false,
    result,
  }))
}

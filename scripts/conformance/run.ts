// `npm run conformance`: the official conformance suite of the Model Context Protocol, against our server and our client, in
// the protocol of 2026-07-28 and those of 2025, and the Inspector's command line. What isn't expected to pass is in
// `known.yaml`, with the reason. The suite comes from npm into a cache folder.
import { mkdtempSync, rmSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { createSlots } from "../clients/slots.ts"
import { scriptOptions } from "../script-options.ts"
import { checkInspector } from "./inspector.ts"
import { judge, offered, readKnown } from "./known.ts"
import { openOwnServer } from "./own/own-server.ts"
import { forwardWithToken } from "./own/with-token.ts"
import { printReport } from "./report.ts"
import { openSuiteBridge, openSuiteServer } from "./server/http-server.ts"
import { type CheckResult, runSuite, type SuiteRun } from "./suite-run.ts"
import { installSuites, type Leg, listedScenarios, requiredScenarios, type Suite } from "./suites.ts"

const values = scriptOptions("npm run conformance -- [--dir DIR] [--only TEXT] [--keep]", {
  dir: { type: "string" },
  /** Of the name of a run. */
  only: { type: "string", default: "" },
  keep: { type: "boolean", default: false },
})
const usual = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "incipit-conformance")
const cache = resolve(values.dir ?? usual)
const known = readKnown()
const results = mkdtempSync(join(tmpdir(), "incipit-conformance-"))
const slots = createSlots(2)

const CLIENT = join(import.meta.dirname, "client/suite-client.ts")

/** For one scenario, on a busy machine. */
const LIMIT_MS = 300_000

/** What of the suite can be asked of the server that users get: the rest needs the suite's own tools. */
const LISTS = ["tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"]
const OWN = {
  "2026-07-28": [
    ...LISTS,
    "server-stateless",
    "server-sse-multiple-streams",
    "caching",
    "sep-2164-resource-not-found",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "sep-2640-skills-directory",
    "sep-2640-skills-enumeration",
    "sep-2640-skills-manifest",
  ],
  "2025-11-25": [...LISTS, "server-initialize", "ping"],
}

const suites = await installSuites(cache)
const [http, stdio, own] = await Promise.all([openSuiteServer(), openSuiteBridge(), openOwnServer()])
const forwarder = await forwardWithToken(own.url, own.secret)
try {
  const runs = (await allRuns()).filter(({ name }) => name.includes(values.only))
  const found = await Promise.all([
    ...runs.map((run, at) => slots.use(() => runSuite(run, join(results, String(at))))),
    ...("inspector".includes(values.only) ? [slots.use(() => checkInspector(cache, own))] : []),
  ])
  const checks: readonly CheckResult[] = found.flat()
  // Entries about runs that were left out say nothing.
  const judged = judge(checks, known)
  const stale = values.only === "" ? judged.stale : []
  printReport(checks, { ...judged, stale })
  process.exitCode = judged.unexpected.length + stale.length === 0 ? 0 : 1
} finally {
  await Promise.all([forwarder.close(), http.close(), stdio.close()])
  await own.close()
  if (values.keep) console.log(`Results are kept in ${results}.`)
  else rmSync(results, { recursive: true })
}

async function allRuns(): Promise<readonly SuiteRun[]> {
  const { newer, older } = suites
  const servers = [
    [`${http.url}/mcp`, "http"],
    [`${stdio.url}/mcp`, "stdio"],
  ] as const
  const older2025 = ["2025-06-18", "2025-11-25"].flatMap((revision) =>
    servers.map(([url, way]) => listed(older, revision, { leg: "server", target: ["--url", url], way })),
  )
  const required2025 = servers.map(([url, way]) =>
    required(newer, "2025-11-25", { leg: "server", target: ["--url", url], way }),
  )
  return [
    required(newer, "2026-07-28", { leg: "server", target: ["--url", `${http.url}/mcp`], way: "http" }),
    ...required2025,
    ...(await Promise.all(older2025)),
    ...ownRuns(newer, `${forwarder.url}/mcp`),
    ...clientRuns(newer),
  ]
}

interface Target {
  readonly leg: Leg
  /** Whom the suite tries, as its flags say it. */
  readonly target: readonly string[]
  readonly way: "http" | "stdio"
}

/** What a revision of the protocol requires, by the suite's own list. */
function required(suite: Suite, revision: string, { leg, target, way }: Target): SuiteRun {
  const name = `${leg} ${suite.version} ${revision} ${way}`
  const scenarios = offered(name, requiredScenarios(suite, revision, leg), known)
  return { name, suite, leg, scenarios, args: [...target, "--requirements", revision] }
}

/** All that the suite has for a revision. */
async function listed(suite: Suite, revision: string, { leg, target, way }: Target): Promise<SuiteRun> {
  const name = `${leg} ${suite.version} ${revision} ${way}`
  const scenarios = offered(name, await listedScenarios(suite, revision, leg), known)
  return { name, suite, leg, scenarios, args: [...target, "--suite", "all", "--spec-version", revision] }
}

/** The server that users get, as far as the suite needs no offers of its own. */
function ownRuns(suite: Suite, url: string): readonly SuiteRun[] {
  return Object.entries(OWN).flatMap(([revision, scenarios]) =>
    scenarios.map((scenario) => ({
      ...{ name: `server own ${revision} http`, suite, leg: "server" as const, scenarios: [scenario] },
      args: ["--url", url, ...one(scenario, revision)],
    })),
  )
}

/** One by one: the suite would start a process for each at the same time. */
function clientRuns(suite: Suite): readonly SuiteRun[] {
  const command = `${process.execPath} ${CLIENT}`
  return ["2026-07-28", "2025-11-25"].flatMap((revision) => {
    const name = `client ${suite.version} ${revision} http`
    return offered(name, requiredScenarios(suite, revision, "client"), known).map((scenario) => ({
      ...{ name, suite, leg: "client" as const, scenarios: [scenario] },
      args: ["--command", command, "--timeout", String(LIMIT_MS), ...one(scenario, revision)],
    }))
  })
}

function one(scenario: string, revision: string): readonly string[] {
  return ["--scenario", scenario, "--spec-version", revision, "--force"]
}

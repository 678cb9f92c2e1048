// One run of the suite, and what it found: the checks of each scenario, as the suite wrote them down.
import { spawn } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import process from "node:process"
import { z } from "zod"
import { programOf, type Suite } from "./suites.ts"

export interface SuiteRun {
  /** As in the report and in `known.yaml`. */
  readonly name: string
  readonly suite: Suite
  readonly leg: "server" | "client"
  /** Of the suite's program: what to run, and against what. */
  readonly args: readonly string[]
  /** Each must leave a result. */
  readonly scenarios: readonly string[]
}

export interface CheckResult {
  readonly run: string
  readonly scenario: string
  readonly check: string
  readonly status: "passed" | "failed" | "warned"
  readonly why: string
}

/** The results of all scenarios, whose files are kept in the folder. A scenario without any has failed. */
export async function runSuite(run: SuiteRun, folder: string): Promise<readonly CheckResult[]> {
  const { name, suite, leg, args, scenarios } = run
  const output = await print([programOf(suite), leg, ...args, "--output-dir", folder])
  return scenarios.flatMap((scenario): readonly CheckResult[] => {
    const checks = checksIn(folder, leg === "server" ? `server-${scenario}` : scenario)
    if (checks !== undefined) return checks.map((check) => ({ run: name, scenario, ...check }))
    return [{ run: name, scenario, check: "no-result", status: "failed", why: output.slice(-500) }]
  })
}

const CHECKS = z.array(
  z.looseObject({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
)

/** The others say what happened, or what could not be checked. */
const STATUSES: Readonly<Record<string, CheckResult["status"]>> = {
  SUCCESS: "passed",
  FAILURE: "failed",
  WARNING: "warned",
}

/** Undefined if the scenario has left nothing. The suite puts the time behind a scenario's name. */
function checksIn(folder: string, scenario: string) {
  const files = globSync(`${scenario}-20??-??-??T*/checks.json`, { cwd: folder })
  if (files.length === 0) return undefined
  return files.flatMap((file) =>
    CHECKS.parse(JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))).flatMap((check) => {
      const status = STATUSES[check.status]
      return status === undefined ? [] : [{ check: check.id, status, why: check.errorMessage ?? "" }]
    }),
  )
}

/** Longer than the slowest run on a busy machine. */
const MOST_MS = 900_000

/** What the program printed. Its status says nothing that its files don't. */
function print(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], timeout: MOST_MS })
    let text = ""
    const keep = (chunk: Buffer) => {
      text += chunk.toString("utf8")
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    child.on("error", (error) => resolve(String(error)))
    child.on("close", () => resolve(text))
  })
}

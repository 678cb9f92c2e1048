// The two versions of the official conformance suite: the one that is made for the protocol of 2026-07-28, and the last one
// that was made for those of 2025.
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { parse } from "yaml"
import { z } from "zod"
import { installPackage } from "../clients/install.ts"

const run = promisify(execFile)
const PACKAGE = "@modelcontextprotocol/conformance"

export interface Suite {
  readonly version: string
  /** The folder of the package. */
  readonly folder: string
}

export async function installSuites(
  cache: string,
): Promise<{ readonly newer: Suite; readonly older: Suite }> {
  const install = async (version: string): Promise<Suite> => {
    const modules = await installPackage(cache, { name: `conformance-${version}`, package: PACKAGE, version })
    return { version, folder: join(modules, PACKAGE) }
  }
  return { newer: await install("0.2.0-alpha.12"), older: await install("0.1.16") }
}

const REQUIREMENTS = z.object({
  server: z.array(z.string()),
  client: z.array(z.string()),
  not_scored: z.array(z.object({ scenario: z.string(), leg: z.enum(["server", "client"]) })),
})

export type Leg = "server" | "client"

/** What the suite says that a revision of the protocol requires, and what it runs besides. */
export function requiredScenarios(suite: Suite, revision: string, leg: Leg): readonly string[] {
  const path = join(suite.folder, "requirements", `${revision}.yaml`)
  const { not_scored: others, ...required } = REQUIREMENTS.parse(parse(readFileSync(path, "utf8")))
  return [...required[leg], ...others.filter((one) => one.leg === leg).map(({ scenario }) => scenario)]
}

/** What the suite lists for a revision; the older one has no requirements. */
export async function listedScenarios(suite: Suite, revision: string, leg: Leg): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [programOf(suite), "list", `--${leg}`])
  return stdout.split("\n").flatMap((line) => {
    const [, name, versions = ""] = /^ {2}- (\S+) \[([^\]]*)\]/.exec(line) ?? []
    return name !== undefined && versions.split(",").includes(revision) ? [name] : []
  })
}

export function programOf({ folder }: Suite): string {
  return join(folder, "dist/index.js")
}

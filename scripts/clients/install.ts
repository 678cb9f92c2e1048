// Installs programs from npm into a cache folder outside the project, each in a folder of its own.
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"

const run = promisify(execFile)

export interface Installed {
  /** Of its folder. */
  readonly name: string
  readonly package: string
  readonly version: string
}

/** Returns its `node_modules`, installing it if this version isn't there yet. */
export async function installPackage(cache: string, wanted: Installed): Promise<string> {
  const folder = join(cache, "npm", wanted.name)
  const modules = join(folder, "node_modules")
  if (versionIn(join(modules, wanted.package)) === wanted.version) return modules
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
  const spec = `${wanted.package}@${wanted.version}`
  console.error(`Installing ${spec} into ${folder}.`)
  const install = () => run("npm", ["install", "--no-audit", "--no-fund", spec], { cwd: folder })
  for (const pauseMs of PAUSES_MS) {
    try {
      await install()
      return modules
    } catch (error) {
      console.error(`${error instanceof Error ? error.message : error}\nTrying again in ${pauseMs / 1000} s.`)
      await sleep(pauseMs)
    }
  }
  await install()
  return modules
}

/** A registry may be busy. */
const PAUSES_MS = [20_000, 40_000]

/** Unpacks a package without installing it, for the instruction files that it ships. */
export async function unpackPackage(cache: string, spec: string): Promise<string> {
  const folder = join(cache, "trees", spec.replaceAll(/[@/]+/g, "-").replace(/^-/, ""))
  if (existsSync(join(folder, "package"))) return join(folder, "package")
  mkdirSync(folder, { recursive: true })
  console.error(`Fetching ${spec} into ${folder}.`)
  const { stdout } = await run("npm", ["pack", "--silent", spec], { cwd: folder })
  await run("tar", ["-xzf", stdout.trim()], { cwd: folder })
  return join(folder, "package")
}

function versionIn(folder: string): string | undefined {
  const path = join(folder, "package.json")
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).version : undefined
}

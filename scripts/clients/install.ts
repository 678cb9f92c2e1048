// Installs the clients from npm into a cache folder outside the project, each in a folder of its own.
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { RealClient } from "./real-client.ts"

const run = promisify(execFile)

/** Returns the client's `node_modules`, installing it if this version isn't there yet. */
export async function installClient(cache: string, client: RealClient): Promise<string> {
  const folder = join(cache, "npm", client.name)
  const modules = join(folder, "node_modules")
  if (versionIn(join(modules, client.package)) === client.version) return modules
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
  console.error(`Installing ${client.package}@${client.version} into ${folder}.`)
  await run("npm", ["install", "--no-audit", "--no-fund", `${client.package}@${client.version}`], {
    cwd: folder,
  })
  return modules
}

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

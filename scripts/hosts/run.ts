// `npm run hosts`: fetches hosts from npm into a cache folder, and runs their part of the contract of adapters on a
// network that has only loopback. Not part of `npm test`: pi takes 160 MB.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { pi } from "../clients/clients/pi.ts"
import { installPackage, unpackPackage } from "../clients/install.ts"
import { isOffline, runOffline } from "../clients/namespace.ts"
import { scriptOptions } from "../script-options.ts"

/** The newest one. The oldest one is that of `npm run clients`. */
const NEWEST = "1.5.2"

const values = scriptOptions("npm run hosts -- [--dir DIR]", { dir: { type: "string" } })
const usual = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "incipit-clients")
const cache = resolve(values.dir ?? usual)

process.exitCode = isOffline() ? await runAll() : await runOutside()

/** What needs the network: everything is fetched before the hosts lose it. */
async function runOutside(): Promise<number> {
  await packages()
  const status = await runOffline()
  if (status !== undefined) return status
  console.error("Skipped: this machine does not permit a network namespace (unshare --net, ip link).")
  return 0
}

async function runAll(): Promise<number> {
  const failed = (await packages()).filter((folder) => !holds(folder))
  return failed.length === 0 ? 0 : 1
}

/** The oldest and the newest pi that the adapter is for, as folders. */
async function packages(): Promise<readonly string[]> {
  const oldest = join(await installPackage(cache, pi), pi.package)
  // It bundles what it imports, except for what loads extensions.
  const newest = await unpackPackage(cache, `${pi.package}@${NEWEST}`)
  const version = dependency(newest, "jiti")
  await installPackage(cache, { name: "jiti", package: "jiti", version })
  return [oldest, newest]
}

function dependency(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).dependencies[name]
}

function holds(folder: string): boolean {
  console.log(`\n${folder}`)
  const env = {
    ...process.env,
    ...{ INCIPIT_PI: folder, PI_OFFLINE: "1", PI_TELEMETRY: "0" },
    NODE_PATH: join(cache, "npm/jiti/node_modules"),
  }
  const command = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.hosts.config.ts"]
  return spawnSync(process.execPath, command, { stdio: "inherit", env }).status === 0
}

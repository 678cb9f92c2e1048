// Installs the packed package as users do, with a home and a prefix of its own and a space in the path, and runs it on
// several versions of Node from npm. Prints one line for each attempt; exits with 1 if one failed. `npm run installs`.
import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import process from "node:process"

/** The oldest and the newest of each line that `engines` names, and two that it does not. */
const RUNS = ["22.18.0", "22", "24.0.0", "24", "26"]
const TOO_OLD = ["18", "20"]
const LIBRARY = `import { o200k } from "incipit/tokens"
import { section } from "incipit"
import { openAgent, offlineModel } from "incipit/agent"
const profile = { name: "own", sections: [section({ id: "base", pace: "stable", build: () => "Answer briefly." })] }
const agent = await openAgent({ profile, model: offlineModel({ script: () => "Yes." }), store: "memory", record: false })
console.log(o200k.count("hello world"), (await agent.send("Are you there?")).text)
await agent.close()
`

/** How npm reaches its registry here stays; what an npm that runs this script says about itself does not. */
const AROUND = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_)|npm_config_local_prefix|XDG_)/.test(name),
  ),
)

const place = mkdtempSync(join(tmpdir(), "incipit installs "))
process.once("exit", () => rmSync(place, { recursive: true, force: true }))
const home = folder("home")
const node24 = process.execPath
let failures = 0

interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function folder(name: string): string {
  const path = join(place, name)
  mkdirSync(path, { recursive: true })
  return path
}

function run(
  program: string,
  args: readonly string[],
  options: Partial<SpawnSyncOptionsWithStringEncoding> = {},
) {
  const env = { ...AROUND, HOME: home, TZ: "UTC", npm_config_update_notifier: "false" }
  return spawnSync(program, args, { encoding: "utf8", cwd: home, env, ...options })
}

function report(what: string, ended: Ended, isRight: (ended: Ended) => boolean): void {
  const isFine = isRight(ended)
  if (!isFine) failures += 1
  console.log(`${isFine ? "ok    " : "FAILED"}  ${what}`)
  if (!isFine) console.log(`${ended.stdout}${ended.stderr}`.replaceAll(/^/gm, "        "))
}

/** Not a word on stderr: a warning of Node is a fault, too. */
const isQuiet = ({ status, stderr }: Ended) => status === 0 && stderr === ""

const packed = run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", place], {
  cwd: resolve(),
})
const tarball = join(place, packed.stdout.trim())

const project = folder("a project")
writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }')
writeFileSync(join(project, "library.js"), LIBRARY)
report(
  "npm install",
  run("npm", ["install", "--no-audit", tarball], { cwd: project }),
  ({ status }) => status === 0,
)
const installed = join(project, "node_modules", "incipit")
const packages = readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))
const [kilobytes = "?"] = run("du", ["-sk", join(project, "node_modules")]).stdout.split("\t")
console.log(`        ${packages.length} package, ${kilobytes} KB on disk`)

report(
  "npx ./incipit-*.tgz bill",
  run("npx", ["--yes", `./${basename(tarball)}`, "bill"], { cwd: place }),
  ({ status, stdout }) => status === 0 && stdout.includes("No calls found"),
)
const prefix = folder("a prefix")
report(
  "npm install -g",
  run("npm", ["install", "-g", "--prefix", prefix, tarball]),
  ({ status }) => status === 0,
)
report("incipit --version", run(join(prefix, "bin", "incipit"), ["--version"]), isQuiet)
if (process.getuid?.() === 0) asOrdinaryUser()

for (const version of RUNS) runOn(version)
for (const version of TOO_OLD)
  report(
    `Node ${version}: one line`,
    onNode(nodeOf(version), ["--version"]),
    ({ status, stderr }) => status === 2 && /^incipit: needs Node 22[^\n]*\n$/.test(stderr),
  )
process.exitCode = failures === 0 ? 0 : 1

/** The package was installed by root; somebody else runs it. */
function asOrdinaryUser(): void {
  const NOBODY = 65_534
  chmodSync(place, 0o755)
  const own = folder("home of nobody")
  chownSync(own, NOBODY, NOBODY)
  const env = { PATH: process.env.PATH, HOME: own }
  // Node itself must be readable for this user, so it is the system's.
  const args = [join(prefix, "lib", "node_modules", "incipit", "bin", "incipit.js"), "build"]
  const node = join(folder("node"), "node")
  cpSync(node24, node)
  report(
    "as an ordinary user: build",
    run(node, args, { cwd: own, env, uid: NOBODY, gid: NOBODY }),
    ({ status }) => status === 0,
  )
}

function runOn(version: string): void {
  const node = nodeOf(version)
  const workspace = folder(`workspace ${version}`)
  cpSync("examples/lighthouse", workspace, { recursive: true })
  const on = ["--workspace", workspace]
  report(`Node ${version}: build`, onNode(node, ["build", ...on]), isQuiet)
  report(`Node ${version}: bill`, onNode(node, ["bill"]), isQuiet)
  report(
    `Node ${version}: run`,
    onNode(node, ["run", "--model", "offline", "who are you?", ...on]),
    ({ status, stderr }) => status === 0 && !stderr.includes("Warning"),
  )
  // The library leaves Node's warnings to the program.
  report(
    `Node ${version}: library`,
    run(node, ["library.js"], { cwd: project }),
    ({ stdout }) => stdout === "2 Yes.\n",
  )
}

function onNode(node: string, args: readonly string[]): Ended {
  return run(node, [join(installed, "bin", "incipit.js"), ...args])
}

/** A version of Node, from npm. */
function nodeOf(version: string): string {
  const own = folder(`node ${version}`)
  writeFileSync(join(own, "package.json"), '{ "private": true, "allowScripts": { "node": true } }')
  const { status, stderr } = run("npm", ["install", "--no-audit", `node@${version}`], { cwd: own })
  if (status !== 0) throw new Error(`Node ${version} was not installed: ${stderr}`)
  return join(own, "node_modules", "node", "bin", "node")
}

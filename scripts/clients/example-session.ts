// Records the session in examples/bill: the real pi on the sample workspace, with the fake provider's model. Half-way, a
// line of AGENTS.md is edited. pi's own text is replaced by filler of the same length, because it is not ours; paths are
// those of an invented user. `node scripts/clients/example-session.ts CACHE`, with the cache folder of `npm run clients`.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { pi } from "./clients/pi.ts"
import { startProvider } from "./provider/fake-provider.ts"

const [, , cache = ""] = process.argv
const EXAMPLE = "examples/bill"
const MODEL = "claude-opus-4-5"
const PROJECT = "/home/ada/lighthouse"
const TABLE = "data/tides-2027.csv"

const BEFORE = [
  "read: data/lamp-log.md",
  `read: ${TABLE}`,
  "answer: which Saturdays in June have high water before nine?",
  "run: grep -c ',low,' data/tides-2027.csv",
  "read: skills/lamp-service/SKILL.md",
  "answer: when was the lens last cleaned?",
  "read: rules/bookings.md",
  "answer: who has to be asked before a booking is moved?",
]
const AFTER = [
  "read: rules/safety.md",
  "answer: may the cottage be let in March?",
  "run: ls data",
  "answer: what is left to do before the season?",
]
const EDIT = { from: "09:30 and 15:30", to: "09:15 and 15:15" }

const home = mkdtempSync(join(tmpdir(), "incipit-example-"))
const tree = join(home, "lighthouse")
cpSync("examples/lighthouse", tree, { recursive: true })
writeFileSync(join(tree, TABLE), tideTable())
mkdirSync(join(home, ".pi"), { recursive: true })
const provider = await startProvider({ folder: tree, now: Date.now })
const place = { tree, home, url: provider.url, bodies: home, modules: join(cache, "npm/pi/node_modules") }

for (const [at, text] of BEFORE.entries()) await ask(text, at === 0)
const agents = join(tree, "AGENTS.md")
writeFileSync(agents, readFileSync(agents, "utf8").replace(EDIT.from, EDIT.to))
for (const text of AFTER) await ask(text, false)
await provider.close()

const sessions = join(home, ".pi/agent/sessions")
const [folder = ""] = readdirSync(sessions)
const [file = ""] = readdirSync(join(sessions, folder))
const rows = readFileSync(join(sessions, folder, file), "utf8")
  .trimEnd()
  .split("\n")
for (const old of readdirSync(EXAMPLE).filter((name) => name.endsWith(".jsonl"))) rmSync(join(EXAMPLE, old))
writeFileSync(join(EXAMPLE, file), `${rows.map(ours).join("\n")}\n`)
rmSync(home, { recursive: true })

async function ask(text: string, isFirst: boolean): Promise<void> {
  const situation = { model: MODEL, timeZone: "UTC" }
  pi.setUp(place, situation)
  const args = pi.args({ ...situation, text: `Please ${text}`, isFirst }, place)
  const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC", LANG: "C.UTF-8", ...pi.variables(place) }
  const child = spawn(join(place.modules, ".bin", pi.bin), args, {
    cwd: tree,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  })
  const [status] = await once(child, "close")
  if (status !== 0) throw new Error(`pi ended with ${status}`)
}

/** One row of the session, without pi's own text and without this machine's paths. */
function ours(line: string): string {
  const row = JSON.parse(line)
  if (row.message?.role === "system") row.message = withoutOwnText(row.message)
  const slug = (path: string) => path.replaceAll(/[/\\:]/g, "-")
  return JSON.stringify(row)
    .replaceAll(tree, PROJECT)
    .replaceAll(slug(tree), slug(PROJECT))
    .replaceAll(home, "/home/ada")
}

/** What pi took from the project stays; its own sections become filler. */
function withoutOwnText(message: { sections: Record<string, string> }): unknown {
  const { sections } = message
  return {
    ...message,
    sections: Object.fromEntries(
      Object.entries(sections).map(([name, text]) => [
        name,
        text.includes(tree) && name !== "docs" ? text : filler(text),
      ]),
    ),
  }
}

/** Lines of the same length; tags stay. */
function filler(text: string): string {
  const line = "A line of pi's own prompt was here and is left out of this recording. "
  return text.replaceAll(/^(?!<\/?\w+>$).+$/gm, (own) =>
    line.repeat(Math.ceil(own.length / line.length)).slice(0, own.length),
  )
}

/** Four tides a day for a year: what a program reads at once, and then sends with every call. */
function tideTable(): string {
  const tides = Array.from({ length: 365 * 4 }, (_, at) => {
    const minutes = at * 372.6
    const when = new Date(Date.UTC(2027, 0, 1) + minutes * 60_000).toISOString()
    const isLow = at % 2 === 0
    return `${when.slice(0, 10)},${when.slice(11, 16)},${isLow ? "low" : "high"},${(isLow ? 0.14 : 0.51).toFixed(2)}`
  })
  return `date,time,event,height_m\n${tides.join("\n")}\n`
}

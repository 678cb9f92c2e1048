// What happens in a session: turns of a person, and what they change between two of them.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import type { McpServer, RealClient, WebServer } from "./real-client.ts"

export const CHANGES = ["instructions", "skill", "tool", "tool-order", "model", "day", "pause"] as const
export type Change = (typeof CHANGES)[number]

/** What a turn begins with, once a change has been made. It stays that way for the turns after it. */
export interface Situation {
  readonly model: string
  readonly timeZone: string
  readonly server?: McpServer | undefined
  readonly webServer?: WebServer | undefined
}

/** Longer than any cache of the models that are asked lives. */
export const PAUSE_MS = 5 * 60_000 + 15_000

/** The line that is put into the instruction file, and where. */
export const EDITED_LINE = 12
export const EDITED_TEXT = "- A rule that was added between two turns: the cook may light the west lantern."

/** Makes the change in the tree, or in what the next turns are started with. */
export function applyChange(change: Change, tree: string, client: RealClient, now: Situation): Situation {
  if (change === "instructions") insertLine(join(tree, client.instructions))
  if (change === "skill") addSkill(join(tree, client.skills, "ring-bell"))
  if (change === "tool") return { ...now, server: lamps("upper,lower") }
  if (change === "tool-order") return { ...now, server: lamps("lower,upper") }
  if (change === "model") return { ...now, model: client.models[1] }
  if (change === "day") return { ...now, timeZone: otherDay() }
  return now
}

function insertLine(path: string): void {
  const lines = readFileSync(path, "utf8").split("\n")
  writeFileSync(path, lines.toSpliced(EDITED_LINE - 1, 0, EDITED_TEXT).join("\n"))
}

function addSkill(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "SKILL.md")
  writeFileSync(
    path,
    "---\nname: ring-bell\ndescription: Rings the fog bell by hand when the winch has failed.\n---\n",
  )
  appendFileSync(path, "Ring it twice a minute until the fog has lifted.\n")
}

function lamps(order: string): McpServer {
  const program = fileURLToPath(new URL("./tool-server.ts", import.meta.url))
  return { name: "lamps", command: process.execPath, args: [program, order] }
}

/** A zone where it is another date than in UTC, so that the day changes and no time passes. */
function otherDay(): string {
  return new Date().getUTCHours() >= 10 ? "Pacific/Kiritimati" : "Pacific/Niue"
}

/** What the person writes; the fake provider's model does what it says. */
const TASKS = [
  "Please run: ls -a",
  "Please read: README.md",
  "Please answer: what is this folder?",
  "Please write: notes.txt",
  "Please read: docs/README.md",
  "Please answer: what did we do?",
] as const

export function taskOf(turn: number): string {
  return `${TASKS[turn % TASKS.length]}`
}

// What is wrong with how a command behaved in a hostile folder, as sentences; none if nothing is.
import { lstatSync, readdirSync, realpathSync } from "node:fs"
import { basename, dirname, join, sep } from "node:path"
import { SCRIPT } from "../../src/cli/command-line/hidden-secrets.ts"
import { CANARY, type Place } from "./place.ts"
import type { Traced } from "./strace.ts"
import { SECRET_VARIABLE, type Watched } from "./watched.ts"

/** Usual is 150 MB, and 660 for ten files of nothing but headings, as long as files may be; a bomb takes gigabytes. */
const MEMORY_LIMIT_MB = 1_000

/** `writes`: files and folders that this command is there to write, besides the user's state. */
export function troubles(watched: Watched, place: Place, writes: readonly string[] = []): readonly string[] {
  const { stdout, stderr, status, hung, peakMegabytes } = watched
  const found = [
    hung ? "went on for too long" : "",
    !hung && ![0, 1, 2].includes(status ?? -1) ? `ended with status ${status}` : "",
    peakMegabytes > MEMORY_LIMIT_MB ? `took ${peakMegabytes} MB of memory` : "",
    ...outputTroubles("stdout", stdout),
    ...outputTroubles("stderr", stderr),
    ...readdirSync(place.markers).map((name) => `ran the folder's code: ${name}`),
    place.connections() > 0 ? "connected to an address of the folder's" : "",
    ...watched.events.map((event) => eventTrouble(event, place, [...watched.own, ...writes]) ?? ""),
  ]
  return [...new Set(found.filter((text) => text !== ""))]
}

/** A terminal would obey these; \t and \n are what text is made of. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u

function outputTroubles(name: string, text: string): readonly string[] {
  const control = CONTROL.exec(text)
  const around =
    control === null ? "" : JSON.stringify(text.slice(Math.max(0, control.index - 60), control.index + 30))
  return [
    control === null ? "" : `${name} has a control character: ${around}`,
    /\n\s+at .*[(/]\S+:\d+:\d+/.test(text) || text.includes("a fault of the program")
      ? `${name} has a stack trace: ${text.slice(0, 600)}`
      : "",
    text.includes(SECRET_VARIABLE) ? `${name} has the value of a variable` : "",
    text.replaceAll(SECRET_VARIABLE, "").includes(CANARY)
      ? `${name} tells a file that is not the folder's`
      : "",
  ]
}

/** Programs that are started, and with which arguments they cannot be made to run something else. */
const NODE = realpathSync(process.execPath)
/** A service of the C library that is asked for the names of users. */
const HARMLESS_SOCKETS = ["/var/run/nscd/socket", "/run/systemd/userdb/"]

/** The temporary file next to one that is replaced as a whole. */
function isReplacing(path: string, own: string): boolean {
  return (
    dirname(path) === dirname(own) && basename(path).startsWith(`.${basename(own)}.`) && path.endsWith(".tmp")
  )
}

function eventTrouble(event: Traced, place: Place, writes: readonly string[]): string | undefined {
  switch (event.kind) {
    case "start":
      return startTrouble(event, place)
    case "write":
      return writeTrouble(event, place, writes)
    case "read":
      return event.error === undefined && isForeign(event.path, place)
        ? `read ${shown(event.path, place)}`
        : undefined
    case "address":
      if (event.family === "AF_UNIX" && HARMLESS_SOCKETS.some((path) => event.text.startsWith(path)))
        return undefined
      return `${event.call} to ${event.family} ${event.text}`
    case "signal":
      return event.own || event.signal === "0" ? undefined : `sent ${event.signal} to a process`
    case "other":
      // Node has a ring for what it waits for; only one with a thread of the kernel's would write files unseen.
      if (event.call === "io_uring_setup" && !event.text.includes("IORING_SETUP_SQPOLL")) return undefined
      return event.error === undefined ? `called ${event.call}(${event.text.slice(0, 100)})` : undefined
  }
}

function startTrouble(
  { program, argv, error }: Traced & { kind: "start" },
  place: Place,
): string | undefined {
  if (isWithin(program, place.folder)) return `started ${shown(program, place)} of the folder`
  if (error !== undefined) return undefined
  const real = realpathSync(program)
  if (real === NODE && argv[1]?.endsWith("bin/incipit.js")) return undefined
  if (/^\/usr\/(?:bin|lib\/git-core|libexec\/git-core)\/git$/.test(real)) return gitTrouble(argv)
  if (program === "/bin/sh" && argv[1] === "-c" && argv[2] === SCRIPT) return undefined
  return `started ${[program, ...argv.slice(1)].join(" ").slice(0, 300)}`
}

/** Only what reads, and runs no filter, hook, monitor or helper whatever the repository says. */
const GIT_READS = [
  "rev-parse",
  "symbolic-ref",
  "for-each-ref",
  "cat-file",
  "rev-list",
  "log",
  "diff",
  "diff-files",
  "diff-index",
  "ls-files",
  "--version",
  "version",
]

function gitTrouble(argv: readonly string[]): string | undefined {
  const command = argv
    .slice(1)
    .find((word, at, all) => !word.startsWith("-") && all[at - 1] !== "-c" && all[at - 1] !== "-C")
  if (command === undefined || !GIT_READS.includes(command)) return `started ${argv.join(" ").slice(0, 300)}`
  return command === "ls-files" && argv.includes("-m") ? `started ${argv.join(" ")}` : undefined
}

function writeTrouble(
  { call, path, error }: Traced & { kind: "write" },
  place: Place,
  writes: readonly string[],
): string | undefined {
  // To make a folder that is there changes nothing.
  if (error === "EEXIST" && call.startsWith("mkdir")) return undefined
  // SQLite sorts what is large in a file that has lost its name before anything is written.
  if (path.startsWith(join(place.temporary, "etilqs_"))) return undefined
  // A database that came with the folder is read from a copy, which is gone afterwards.
  if (path.startsWith(join(place.temporary, "incipit-copy-"))) return undefined
  if (
    ["/dev/null", "/dev/tty"].includes(path) ||
    writes.some((own) => isWithin(path, own) || isReplacing(path, own))
  )
    return undefined
  return `${call} ${shown(path, place)}${error === undefined ? "" : ` (${error})`}`
}

/** Somebody's files that have nothing to do with the folder, by whatever name they were opened. */
function isForeign(path: string, { home, outside }: Place): boolean {
  const real = realOr(path)
  return [join(home, ".ssh"), join(home, ".bashrc"), outside, "/etc/passwd-"].some((place) =>
    isWithin(real, realOr(place)),
  )
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep)
}

function shown(path: string, { folder, home, outside, temporary }: Place): string {
  const names = { "<folder>": folder, "<home>": home, "<outside>": outside, "<tmp>": temporary }
  return Object.entries(names).reduce((text, [name, place]) => text.replaceAll(place, name), path)
}

const DEEP = 500

function realOr(path: string): string {
  try {
    // Each of two thousand folders below each other would be looked at two thousand times; none of them is a link.
    return path.length > DEEP ? path : realpathSync(path)
  } catch {
    return path
  }
}

/** Every file of the places that must stay as they were, with what shows a change. */
export function snapshot({ folder, home, outside, temporary, usualState }: Place): readonly string[] {
  const waiting = [folder, home, outside, temporary].map((path) => Buffer.from(path))
  const found: string[] = []
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (path.toString() === usualState) continue
    const { mode, size, mtimeMs, ino } = lstatSync(path)
    const isFolder = lstatSync(path).isDirectory()
    // SQLite's files without a name come and go in the folder for temporary files.
    const time = path.toString() === temporary ? "" : mtimeMs
    found.push(`${path.toString("latin1")} ${mode.toString(8)} ${isFolder ? "" : size} ${time} ${ino}`)
    if (isFolder)
      for (const name of readdirSync(path, { encoding: "buffer" }))
        waiting.push(Buffer.concat([path, Buffer.from(sep), name]))
  }
  return found.toSorted()
}

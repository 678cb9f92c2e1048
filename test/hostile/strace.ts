// What a program did, as the kernel saw it: programs started, files opened and written, addresses, signals. strace
// writes one line for each call; here a line becomes an event, with paths made absolute and escapes undone.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { delimiter, resolve } from "node:path"

export type Traced =
  | {
      readonly kind: "start"
      readonly program: string
      readonly argv: readonly string[]
      readonly error?: string
    }
  | { readonly kind: "read"; readonly path: string; readonly error?: string }
  | { readonly kind: "write"; readonly call: string; readonly path: string; readonly error?: string }
  | { readonly kind: "address"; readonly call: string; readonly family: string; readonly text: string }
  | { readonly kind: "signal"; readonly signal: string; readonly own: boolean }
  | { readonly kind: "other"; readonly call: string; readonly text: string; readonly error?: string }

/** Which of the strings of a call name what is written. */
const WRITES: Readonly<Record<string, "first" | "last" | "all" | "descriptor">> = {
  creat: "first",
  mkdir: "first",
  mkdirat: "first",
  mknod: "first",
  mknodat: "first",
  rmdir: "first",
  unlink: "first",
  unlinkat: "first",
  rename: "all",
  renameat: "all",
  renameat2: "all",
  link: "last",
  linkat: "last",
  symlink: "last",
  symlinkat: "last",
  chmod: "first",
  fchmod: "descriptor",
  fchmodat: "first",
  fchmodat2: "first",
  chown: "first",
  lchown: "first",
  fchown: "descriptor",
  fchownat: "first",
  truncate: "first",
  utime: "first",
  utimes: "first",
  futimesat: "first",
  utimensat: "first",
  setxattr: "first",
  lsetxattr: "first",
  fsetxattr: "descriptor",
  removexattr: "first",
  lremovexattr: "first",
  fremovexattr: "descriptor",
}
const OPENS = ["open", "openat", "openat2"]
const STARTS = ["execve", "execveat"]
const ADDRESSES = ["connect", "bind", "sendto", "sendmsg", "sendmmsg", "listen"]
const SIGNALS = ["kill", "tkill", "tgkill", "pidfd_send_signal"]
/** Through a ring, files can be written without a call that is seen; the others change the world for all that follows. */
const OTHERS = ["io_uring_setup", "mount", "umount2", "chroot", "pivot_root", "ptrace", "memfd_create"]
const FOLDERS = ["chdir", "fchdir"]
const FORKS = ["clone", "clone3", "fork", "vfork"]

const CALLS = [
  ...Object.keys(WRITES),
  ...OPENS,
  ...STARTS,
  ...ADDRESSES,
  ...SIGNALS,
  ...OTHERS,
  ...FOLDERS,
  ...FORKS,
]

/** By its whole path: PATH of what is traced may lead anywhere. */
const STRACE = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => resolve(folder, "strace"))
  .find((path) => existsSync(path))

/** The command that runs another one and writes what it did to a file. */
export function tracing(file: string): readonly string[] {
  const which = `trace=${CALLS.map((call) => `?${call}`).join(",")}`
  return [
    STRACE ?? "strace",
    "-f",
    "--seccomp-bpf",
    "-qq",
    "-y",
    "-s",
    "8192",
    "-o",
    file,
    "-e",
    which,
    "-e",
    "signal=none",
    "--",
  ]
}

/** Why nothing can be traced on this machine, if so. */
export function whyNotTraced(): string | undefined {
  const { error, status, stderr } = spawnSync(
    tracing("/dev/null")[0] ?? "",
    [...tracing("/dev/null").slice(1), "true"],
    {
      encoding: "utf8",
    },
  )
  if (error !== undefined) return "strace is not installed"
  return status === 0 ? undefined : `strace does not work here: ${stderr.trim().split("\n")[0]}`
}

export function readTrace(file: string, cwd: string): readonly Traced[] {
  const folders = new Map<string, string>()
  const own = new Set<string>()
  return wholeCalls(readFileSync(file, "latin1")).flatMap((call) => {
    const where = folders.get(call.pid) ?? cwd
    for (const pid of [call.pid, ...(FORKS.includes(call.name) ? [call.result] : [])]) {
      folders.set(pid, where)
      own.add(pid)
    }
    const tokens = tokensOf(call.args)
    if (call.error === undefined && FOLDERS.includes(call.name))
      folders.set(call.pid, resolve(where, tokens.find(({ kind }) => kind !== "word")?.text ?? "."))
    if (!SIGNALS.includes(call.name)) return eventsOf(call, tokens, where)
    const words = wordsOf(tokens).split(" ")
    return [{ kind: "signal", signal: words.at(-1) ?? "", own: own.has(words[0] ?? "") }]
  })
}

interface Call {
  readonly pid: string
  readonly name: string
  readonly args: string
  readonly result: string
  readonly error: string | undefined
}

/** A call during which another thread did something stands on two lines. */
function wholeCalls(text: string): readonly Call[] {
  const begun = new Map<string, string>()
  return text.split("\n").flatMap((line) => {
    const [, pid = "", rest = ""] = /^(\d+) +(.*)$/s.exec(line) ?? []
    if (rest.endsWith("<unfinished ...>")) {
      begun.set(pid, rest.slice(0, -"<unfinished ...>".length))
      return []
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest)?.[0]
    const whole = resumed === undefined ? rest : `${begun.get(pid) ?? ""}${rest.slice(resumed.length)}`
    const [, name, args = "", result = "", error] =
      /^(\w+)\((.*)\) += (-?\w+|\?)(?:<.*>)?(?: (E[A-Z0-9]+|ERESTART\w+) .*| \(.*\))?$/s.exec(whole) ?? []
    return name === undefined ? [] : [{ pid, name, args, result, error }]
  })
}

interface Token {
  readonly kind: "string" | "descriptor" | "word"
  readonly text: string
}

function tokensOf(args: string): readonly Token[] {
  const found = args.matchAll(/"((?:[^"\\]|\\.)*)"(?:\.\.\.)?|(?:AT_FDCWD|\b\d+)<((?:[^>\\]|\\.)*)>|[\w|]+/gs)
  return [...found].map(([all, text, folder]) => {
    if (text !== undefined) return { kind: "string", text: unescaped(text) }
    return folder === undefined
      ? { kind: "word", text: all }
      : { kind: "descriptor", text: unescaped(folder) }
  })
}

/** As strace escapes: octal, and the letters of C. What comes out is text again, where it is UTF-8. */
function unescaped(text: string): string {
  const letters: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v" }
  const bytes = text.replaceAll(
    /\\(?:([0-7]{1,3})|(.))/gs,
    (_all, octal: string | undefined, letter: string) =>
      octal === undefined ? (letters[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  )
  return Buffer.from(bytes, "latin1").toString("utf8")
}

function eventsOf(call: Call, tokens: readonly Token[], where: string): readonly Traced[] {
  const error = call.error === undefined ? {} : { error: call.error }
  const { name } = call
  if (STARTS.includes(name)) {
    const [program = "", ...argv] = tokens.filter(({ kind }) => kind === "string").map(({ text }) => text)
    return [{ kind: "start", program: resolve(where, program), argv, ...error }]
  }
  if (OPENS.includes(name)) {
    const [path = where] = pathsOf(tokens, where)
    const isWrite = /\bO_(?:WRONLY|RDWR|CREAT|TRUNC|TMPFILE)\b/.test(wordsOf(tokens))
    return [isWrite ? { kind: "write", call: name, path, ...error } : { kind: "read", path, ...error }]
  }
  if (ADDRESSES.includes(name)) return addressOf(call)
  if (OTHERS.includes(name)) return [{ kind: "other", call: name, text: call.args, ...error }]
  const which = WRITES[name]
  if (which === undefined) return []
  const paths = which === "descriptor" ? descriptorsOf(tokens) : pathsOf(tokens, where)
  const counted = which === "first" ? paths.slice(0, 1) : which === "last" ? paths.slice(-1) : paths
  return counted.map((path) => ({ kind: "write", call: name, path, ...error }))
}

/** Each string as a path, from the descriptor before it or from where the process is. */
function pathsOf(tokens: readonly Token[], where: string): readonly string[] {
  return tokens.flatMap(({ kind, text }, at) => {
    const before = tokens[at - 1]
    return kind === "string" ? [resolve(before?.kind === "descriptor" ? before.text : where, text)] : []
  })
}

function descriptorsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ kind, text }) => (kind === "descriptor" ? [text] : []))
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens.flatMap(({ kind, text }) => (kind === "word" ? [text.replaceAll("|", " ")] : [])).join(" ")
}

/** What is sent over a connection that is there already names no address. */
function addressOf({ name, args }: Call): readonly Traced[] {
  const family = /sa_family=(\w+)/.exec(args)?.[1]
  if (family === undefined && name !== "listen") return []
  const path = /sun_path=@?"((?:[^"\\]|\\.)*)"/.exec(args)?.[1]
  return [
    { kind: "address", call: name, family: family ?? "?", text: path === undefined ? args : unescaped(path) },
  ]
}

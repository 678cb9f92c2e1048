// `incipit hooks`: which modules take part in turns, and which of them may. What is not approved is never run here.
import { relative, resolve, sep } from "node:path"
import { createInterface } from "node:readline/promises"
import { withApprovals } from "../agent/approvals.ts"
import { IncipitError } from "../core/error.ts"
import { findHooks, type HookModule, loadHooks } from "../hooks/load.ts"
import { openWorkspace } from "../sources/workspace.ts"
import type { FlagValues, Invocation } from "./command.ts"
import { printFindings } from "./findings.ts"
import { fitCell, painter, plural, type Terminal, thousands } from "./terminal.ts"

interface Listed {
  readonly name: string
  readonly path: string
  readonly digest: string
  readonly status: "approved" | "waiting"
  /** Nothing for one that may not run, or can not. */
  readonly hooks?: readonly string[]
}

export async function list({ flags, terminal }: Invocation): Promise<number> {
  const { root, names, home } = configured(flags, terminal)
  const approved = approvedDigests(home)
  const { modules } = await findHooks(names, root)
  const { hooks, diagnostics } = await loadHooks(names, { root, approved: (digest) => approved.has(digest) })
  const listed = modules.map(({ name, path, digest }): Listed => {
    const loaded = hooks.find(({ module }) => module.path === path)
    const status = approved.has(digest) ? "approved" : "waiting"
    return {
      name,
      path: shown(path, root),
      digest,
      status,
      ...(loaded && { hooks: Object.keys(loaded.hooks) }),
    }
  })
  print(flags, terminal, listed, () => listView(listed, terminal))
  printFindings(diagnostics, terminal)
  return 0
}

export async function approve({ words: [wanted], flags, terminal }: Invocation): Promise<number> {
  const { root, names, home } = configured(flags, terminal)
  const { modules, diagnostics } = await findHooks(names, root)
  printFindings(diagnostics, terminal)
  const approved = approvedDigests(home)
  const waiting = modules.filter(({ digest }) => !approved.has(digest))
  const chosen = waiting.filter(({ name, given }) => wanted === undefined || [name, given].includes(wanted))
  if (chosen.length === 0)
    throw new IncipitError("no-hook", wanted === undefined ? "no hook waits" : `no hook "${wanted}" waits`)
  for (const module of chosen) terminal.err(`${moduleView(module, shown(module.path, root)).join("\n")}\n`)
  if (flags.yes !== true && !(await isAgreed(chosen.length))) {
    terminal.err("nothing was approved\n")
    return 0
  }
  const at = terminal.now()
  withApprovals(home, (approvals) => {
    for (const { digest, name } of chosen) approvals.approve({ kind: "hook", digest, name, at })
  })
  const done = chosen.map(({ name, path, digest }) => ({ name, path: shown(path, root), digest }))
  print(flags, terminal, done, () => done.map(({ name }) => `approved ${name}`))
  return 0
}

export async function revoke({ words: [wanted = ""], flags, terminal }: Invocation): Promise<number> {
  const { root, names, home } = configured(flags, terminal)
  const { modules } = await findHooks(names, root)
  const name = modules.find(({ given }) => given === wanted)?.name ?? wanted
  const known = approvedDigests(home, name)
  if (known.size === 0) throw new IncipitError("no-hook", `no hook "${wanted}" is approved`)
  const revoked = withApprovals(home, (approvals) => approvals.revoke("hook", name))
  print(flags, terminal, { name, revoked }, () => [`took back ${plural(revoked, "approval")} of ${name}`])
  return 0
}

/** The workspace, and the modules that its configuration names. */
function configured(flags: FlagValues, terminal: Terminal) {
  const given = typeof flags.workspace === "string" ? flags.workspace : terminal.env.INCIPIT_WORKSPACE
  const { root, config, diagnostics } = openWorkspace(resolve(terminal.cwd, given || "."))
  printFindings(diagnostics, terminal)
  return { root, names: config.hooks ?? [], home: terminal.env.INCIPIT_HOME || terminal.home }
}

function approvedDigests(home: string | undefined, name?: string): ReadonlySet<string> {
  const all = withApprovals(home, (approvals) => approvals.list("hook"))
  return new Set(all.filter((one) => name === undefined || one.name === name).map(({ digest }) => digest))
}

/** As one would write it in the workspace; a file elsewhere with its whole path. */
function shown(path: string, root: string): string {
  const way = relative(root, path)
  return way.startsWith("..") ? path : way.split(sep).join("/")
}

function listView(listed: readonly Listed[], terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const widest = (texts: readonly string[]) => Math.min(32, Math.max(0, ...texts.map((text) => text.length)))
  const [names, paths] = [widest(listed.map(({ name }) => name)), widest(listed.map(({ path }) => path))]
  const lines = listed.map(({ name, path, digest, status, hooks = [] }) => {
    const place = `${fitCell(name, names)}  ${fitCell(path, paths)}  ${digest.slice(0, SHORT)}`
    const line = `${place}  ${fitCell(status, 8)}  ${hooks.join(", ")}`.trimEnd()
    return status === "approved" ? line : paint("yellow", line)
  })
  return [...lines, plural(listed.length, "module")]
}

const SHORT = "sha256:".length + 12

/** What somebody says yes to. */
function moduleView({ name, digest, files }: HookModule, path: string): readonly string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const size = `${plural(files.length, "file")}, ${plural(bytes, "byte")}`
  const width = Math.max(...files.map((file) => thousands(file.bytes).length))
  return [
    `${name}: ${path}, ${size}, ${digest}`,
    ...files.map((file) => `  ${thousands(file.bytes).padStart(width)}  ${file.path}`),
  ]
}

async function isAgreed(count: number): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new IncipitError("bad-argument", "approve asks first, and there is nobody to answer; add --yes")
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const what = count === 1 ? "this code" : `the code of these ${count} modules`
    return /^y(es)?$/i.test((await ask.question(`Let ${what} run with your rights? [y/N] `)).trim())
  } finally {
    ask.close()
  }
}

function print(flags: FlagValues, terminal: Terminal, value: object, view: () => readonly string[]): void {
  terminal.out(flags.json === true ? `${JSON.stringify(value, null, 2)}\n` : `${view().join("\n")}\n`)
}

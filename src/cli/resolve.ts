// From the shared flags to a compiled prompt: open the workspace, gather, compile.
import { isAbsolute, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Budget, DEFAULT_BUDGET } from "../core/budget.ts"
import { createCompiler } from "../core/compiler.ts"
import type { Diagnostic } from "../core/diagnostic.ts"
import { IncipitError } from "../core/error.ts"
import type { Profile } from "../core/profile.ts"
import type { Prompt } from "../core/prompt.ts"
import { MODES, type Turn } from "../core/scope.ts"
import type { SourceFile } from "../core/source.ts"
import { incipit } from "../profiles/incipit.ts"
import { errorCode } from "../sources/file.ts"
import { gatherAgent, gatherSession, openWorkspace, type Workspace } from "../sources/workspace.ts"
import { factorFor } from "../tokens/factor.ts"
import { o200k } from "../tokens/o200k.ts"
import type { FlagValues } from "./commands.ts"
import { readScope, readTools } from "./inputs.ts"
import type { Terminal } from "./terminal.ts"

const PROFILES: readonly Profile[] = [incipit]

export interface Compiled {
  readonly prompt: Prompt
  /** Everything that was gathered, hidden or not: the operator's view. */
  readonly files: readonly SourceFile[]
  readonly root: string
  readonly name: string
  readonly person: string | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export async function compileFromFlags(
  flags: FlagValues,
  terminal: Terminal,
  folder?: string,
): Promise<Compiled> {
  const given = (name: string) => (typeof flags[name] === "string" ? flags[name] : undefined)
  const root = resolve(terminal.cwd, folder ?? given("workspace") ?? ".")
  const workspace = openWorkspace(
    root,
    optional({ home: given("home") ?? terminal.home, agent: given("agent") }),
  )
  const profile = await profileNamed(given("profile") ?? workspace.config.profile ?? "incipit", terminal.cwd)
  const path = (name: string) => mapped(given(name), (value) => resolve(terminal.cwd, value))
  const scope = mapped(path("scope"), readScope)
  const agent = gatherAgent(
    workspace,
    optional({ tools: mapped(path("tools"), (file) => readTools(file, profile)) }),
  )
  const session = gatherSession(workspace, {
    ...optional({
      as: given("as"),
      situation: given("in"),
      channel: given("channel"),
      mode: MODES.find((mode) => mode === flags.mode),
    }),
    ...optional({ id: given("session"), model: given("model"), task: given("task"), inputs: scope?.session }),
    directory: path("cwd") ?? terminal.cwd,
    background: flags.background === true,
  })
  const diagnostics = [...agent.diagnostics, ...session.diagnostics]
  const head = createCompiler({ profile, counter: o200k }).head(agent.value, session.value, {
    budget: budgetOf(workspace, given("budget"), session.value.model),
    ttl: workspace.config.cache?.ttl ?? "5m",
    diagnostics,
  })
  const prompt = head.step(turnOf(flags, terminal, scope?.turn))
  const files = [...agent.value.files, ...session.value.files]
  return {
    prompt,
    files,
    root,
    name: nameOf(files, root),
    person: session.value.person,
    diagnostics: prompt.plan.diagnostics,
  }
}

function turnOf(flags: FlagValues, terminal: Terminal, inputs: Turn["inputs"]): Turn {
  const { now, message, plan } = flags
  return {
    id: "turn-1",
    now: typeof now === "string" ? instant(now) : terminal.now(),
    timeZone: terminal.timeZone,
    planMode: plan === true,
    ...(typeof message === "string" && { message }),
    ...(inputs && { inputs }),
  }
}

function instant(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new IncipitError(
      "bad-argument",
      `--now is "${text}", which is not a date such as 2026-11-15T08:30:00Z`,
    )
  return time
}

/** The configured budget, with the flag in place of the head's limit. */
function budgetOf({ config }: Workspace, flag: string | undefined, model: string | undefined): Budget {
  const { factor, exact } = factorFor(model)
  const { shares, ...limits } = config.budget ?? {}
  const known = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
  const head = flag === undefined ? {} : { head: Number(flag) }
  return { ...DEFAULT_BUDGET, ...known, ...head, ...(shares && { shares }), ratio: { factor, exact } }
}

/** A bundled profile by name, or the default export (or `profile`) of a module. */
async function profileNamed(name: string, cwd: string): Promise<Profile> {
  const bundled = PROFILES.find((profile) => profile.name === name)
  if (bundled !== undefined) return bundled
  const known = PROFILES.map((profile) => profile.name).join(", ")
  if (!/[./\\]/.test(name))
    throw new IncipitError("unknown-profile", `unknown profile "${name}" (there is ${known})`)
  const path = isAbsolute(name) ? name : resolve(cwd, name)
  const module = await importModule(path, name)
  const profile = module.default ?? module.profile
  if (!isProfile(profile))
    throw new IncipitError("unknown-profile", `${name} exports no profile as default or as \`profile\``)
  return profile
}

async function importModule(path: string, name: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    const code = errorCode(error)
    const why =
      code === "ERR_MODULE_NOT_FOUND"
        ? "there is no such file"
        : error instanceof Error
          ? error.message
          : String(error)
    throw new IncipitError("unknown-profile", `can not load the profile ${name}: ${why}`, { cause: error })
  }
}

function isProfile(value: unknown): value is Profile {
  return (
    typeof value === "object" &&
    value !== null &&
    "sections" in value &&
    Array.isArray(value.sections) &&
    "markup" in value
  )
}

/** What the agent is called: its identity's name, else its folder. */
function nameOf(files: readonly SourceFile[], root: string): string {
  const name = files.find(({ role }) => role === "identity")?.fields.name
  return typeof name === "string" ? name : (root.split(/[/\\]/).at(-1) ?? root)
}

function mapped<T, R>(value: T | undefined, change: (value: T) => R): R | undefined {
  return value === undefined ? undefined : change(value)
}

/** Leaves out what is undefined, as optional properties want it. */
function optional<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // Entries of an object with its undefined ones taken out: the type says just that.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

// `incipit init`: a workspace that compiles without diagnostics, from a few questions. Never overwrites a file; uses what
// is in the folder already.
import { existsSync, mkdirSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { chooseModel } from "../../../agent/models/choose-model.ts"
import { missingKey, providerFor, providersOf } from "../../../agent/models/providers.ts"
import { approveFolder } from "../../../approval/folder.ts"
import { IncipitError } from "../../../base/error.ts"
import { unwritable } from "../../../base/system-error.ts"
import { INCIPIT_FOLDER } from "../../../files/paths.ts"
import { isThere, realPath, writeTarget } from "../../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../../files/replace-file.ts"
import { DEFAULT_PROFILE } from "../../../sources/config/defaults.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import { askLine } from "../../command-line/ask-line.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { DEFAULT_NAME } from "../../command-line/table/commands.ts"
import { homeFolder, withVariables } from "../../command-line/variables.ts"
import type { Streams, Terminal } from "../../terminal.ts"
import { oneLine, wrap } from "../../views/widths.ts"
import { approvalState } from "./folder-question.ts"
import { type Answers, ejected, filesOf, type Place } from "./init-files.ts"
import { type Found, findIn, leftLines, serverLines } from "./init-found.ts"
import { hasInstructions, signOf } from "./init-signs.ts"

const DEFAULTS: Answers = {
  name: DEFAULT_NAME,
  purpose: "helps with everyday tasks",
  owner: "you",
  model: undefined,
  hasHeartbeat: false,
  servers: [],
  readsBoth: false,
}

export async function run({ words, flags, terminal }: Invocation<"init">): Promise<number> {
  const folder = resolve(terminal.cwd, words[0] ?? ".")
  if (flags.eject) {
    writeAll(ejected(), folder, words[0], terminal)
    return 0
  }
  const found = await findIn(folder, terminal)
  for (const line of found.lines) terminal.err(`${line}\n`)
  const answers = await answersOf(flags, { terminal, folder, found })
  if (answers === undefined) {
    terminal.err("Nothing was written.\n")
    return 2
  }
  const isNew = !existsSync(join(folder, "incipit.yaml"))
  writeAll(filesOf(answers, placeOf(folder, terminal)), folder, words[0], terminal)
  keepApproval(folder, isNew, terminal)
  const next = nextLines(words[0], {
    profile: profileFor(folder),
    answers: isNew ? answers : DEFAULTS,
    terminal,
  })
  for (const line of ["", ...modelLines(folder, terminal), ...next]) terminal.out(`${line}\n`)
  return 0
}

function placeOf(folder: string, { timeZone }: Terminal): Place {
  return { profile: profileFor(folder), timeZone, hasInstructions: hasInstructions(folder) }
}

/**
 * Approves the folder as the source of what was created here. Things named in existing files were not created here. A
 * server that was taken over still needs an approval of its own.
 */
function keepApproval(folder: string, isNew: boolean, terminal: Terminal): void {
  const home = homeFolder({}, terminal)
  const workspace = openWorkspace(folder, { home })
  if (!isNew) return
  const { brings } = approvalState(workspace, home)
  const created = brings.filter(({ kind }) => kind !== "state")
  try {
    approveFolder(workspace.root, created, { home, at: terminal.now() })
  } catch (error) {
    if (!(error instanceof IncipitError) || error.code !== "unwritable-state") throw error
    // The files are there, and so are the next steps; each command says what it cannot keep.
    terminal.err(`warning: your approval of this folder was not kept: ${error.message}. ${error.help}\n`)
  }
}

function profileFor(folder: string): string {
  return signOf(folder)?.profile ?? DEFAULT_PROFILE
}

interface Asking {
  readonly terminal: Terminal
  readonly folder: string
  readonly found: Found
}

async function answersOf(flags: FlagsOf<"init">, asking: Asking): Promise<Answers | undefined> {
  const { terminal, found } = asking
  const { streams, env } = terminal
  const given: Partial<Answers> = {
    ...(flags.name !== undefined && { name: flags.name }),
    ...(flags.model !== undefined && { model: knownModel(flags.model) }),
    ...(flags.heartbeat && { hasHeartbeat: true }),
    ...(flags.import && { servers: found.servers, readsBoth: found.isShadowed }),
  }
  const usual = { ...DEFAULTS, owner: (env.USER ?? env.USERNAME) || DEFAULTS.owner, ...given }
  if (flags.yes) {
    if (!flags.import) for (const line of leftLines(found)) terminal.err(`${line}\n`)
    return usual
  }
  if (streams === undefined || !streams.input.isTTY || !streams.output.isTTY)
    throw new IncipitError(
      "bad-argument",
      "there is no terminal to ask questions on; to accept the defaults, add --yes",
    )
  for (const line of planLines(usual, asking)) terminal.err(`${line}\n`)
  return askQuestions(usual, given, { ...asking, streams })
}

/** What will be written, before anything is asked. */
function planLines(answers: Answers, { terminal, folder }: Asking): readonly string[] {
  const names = Object.keys(filesOf(answers, placeOf(folder, terminal)))
  const kept = names.filter((name) => existsSync(join(folder, name)))
  const made = names.filter((name) => !kept.includes(name))
  const stays =
    kept.length === 0
      ? ""
      : ` ${kept.join(", ")} ${kept.length === 1 ? "stays" : "stay"} as ${kept.length === 1 ? "it is" : "they are"}.`
  const will = made.length === 0 ? "Writes nothing." : `Writes ${made.join(", ")}, after a few questions.`
  return wrap(`${will}${stays} Ctrl-C stops.`, terminal.columns)
}

/** An unknown model is better refused now than with the first message. */
function knownModel(id: string): string {
  providerFor(id, {})
  return id
}

interface QuestionContext extends Asking {
  readonly streams: Streams
}

/** What to ask, and the file that would contain the answer. */
const QUESTIONS: readonly (readonly ["name" | "purpose" | "owner", string, string])[] = [
  ["name", "IDENTITY.md", "What is the agent's name?"],
  ["purpose", "IDENTITY.md", "What does it do, in a few words?"],
  ["owner", "USER.md", "What is your name?"],
]

/** Asks only what is not known and not in a file that stays. */
async function askQuestions(
  before: Answers,
  given: Partial<Answers>,
  { streams, terminal, folder, found }: QuestionContext,
): Promise<Answers | undefined> {
  const isOpen = (key: keyof Answers, file: string) => !(key in given) && !existsSync(join(folder, file))
  // Another system's files say who the agent is.
  const isOurs = profileFor(folder) === "incipit"
  let answers = before
  for (const [key, file, text] of isOurs ? QUESTIONS : []) {
    if (!isOpen(key, file)) continue
    const line = await askLine(streams, `${text} [${answers[key]}] `)
    if (line === undefined) return undefined
    answers = { ...answers, [key]: line.trim() || answers[key] }
  }
  if (isOpen("model", "incipit.yaml")) {
    const found = await askModel(streams, terminal)
    if (found === undefined) return undefined
    answers = { ...answers, ...found }
  }
  if (isOurs && isOpen("hasHeartbeat", "incipit.yaml")) {
    const line = await askLine(streams, "Should it go through a HEARTBEAT.md every morning? [y/N] ")
    if (line === undefined) return undefined
    answers = { ...answers, hasHeartbeat: isYes(line) }
  }
  if ("servers" in given || !isOpen("servers", "incipit.yaml")) return answers
  const taken = await askImport(streams, terminal, found)
  return taken && { ...answers, ...taken }
}

function isYes(line: string): boolean {
  return /^y(es)?$/i.test(line.trim())
}

/** Shows what would be taken over line by line. Returns undefined if the person leaves. */
async function askImport(
  streams: Streams,
  terminal: Terminal,
  found: Found,
): Promise<Pick<Answers, "servers" | "readsBoth"> | undefined> {
  let answers: Pick<Answers, "servers" | "readsBoth"> = { servers: [], readsBoth: false }
  if (found.isShadowed) {
    const line = await askLine(streams, "AGENTS.md takes the place of CLAUDE.md. Read both? [y/N] ")
    if (line === undefined) return undefined
    answers = { ...answers, readsBoth: isYes(line) }
  }
  if (found.servers.length === 0) return answers
  for (const line of serverLines(found.servers)) terminal.err(`${line}\n`)
  const line = await askLine(streams, "Take them over? Each starts only once you approve it. [y/N] ")
  return line === undefined ? undefined : { ...answers, servers: isYes(line) ? found.servers : [] }
}

/** Asks again until the model belongs to a known provider. */
async function askModel(streams: Streams, terminal: Terminal): Promise<Pick<Answers, "model"> | undefined> {
  for (const line of wrap(keysText(terminal), terminal.columns)) terminal.err(`${line}\n`)
  for (;;) {
    const line = await askLine(streams, "Which model? [the first one with an API key] ")
    if (line === undefined) return undefined
    if (line.trim() === "") return { model: undefined }
    try {
      return { model: knownModel(line.trim()) }
    } catch (error) {
      if (!(error instanceof IncipitError)) throw error
      terminal.err(`${oneLine(error.message)}. ${error.help}\n`)
    }
  }
}

/** Names of providers and of variables, never a key. */
function keysText({ env }: Terminal): string {
  const all = providersOf({}).filter(({ keys }) => keys.every((names) => names.length > 0))
  const set = all.filter((provider) => missingKey(provider, env) === undefined).map(({ name }) => name)
  const variables = all.flatMap(({ keys }) => keys[0]?.at(-1) ?? [])
  return set.length > 0 ? `API keys found: ${set.join(", ")}.` : `No API key found (${variables.join(", ")}).`
}

function modelLines(folder: string, terminal: Terminal): readonly string[] {
  const { env, columns } = terminal
  const { config } = openWorkspace(folder)
  const choice = chooseModel({ configured: withVariables({}, { env }).model ?? config.model, env, config })
  const text =
    choice.kind === "model"
      ? `${choice.id} will answer: ${choice.why}.`
      : asTyped(
          `The offline model will answer: ${choice.why}. \`incipit models\` shows your options.`,
          terminal,
        )
  return wrap(text, columns)
}

interface NextOptions {
  readonly profile: string
  readonly answers: Answers
  readonly terminal: Terminal
}

/** In the form in which the commands work on this machine. */
function nextLines(
  folder: string | undefined,
  { profile, answers, terminal }: NextOptions,
): readonly string[] {
  const where = folder === undefined || folder === "." ? "" : ` --workspace ${folder}`
  const file = join(folder ?? "", profile === "incipit" ? "SOUL.md" : "incipit.yaml")
  const typed = (command: string) => asTyped(`incipit ${command}${where}`, terminal)
  const { servers, hasHeartbeat } = answers
  const variables = servers.flatMap((one) => one.variables)
  return [
    `Next: edit ${file}, then see the prompt: ${typed("build")}`,
    ...(variables.length === 0 ? [] : [`      set what was a secret in the files: ${variables.join(", ")}`]),
    ...(servers.length === 0 ? [] : [`      approve the MCP servers: ${typed("hooks approve")}`]),
    ...(hasHeartbeat ? [`      let a chat run the heartbeat, too: ${typed("hooks approve schedule")}`] : []),
    `      chat with the agent: ${typed("chat")}`,
    `      take the tour: ${typed("tour")}`,
  ]
}

function writeAll(
  files: Readonly<Record<string, string>>,
  folder: string,
  shown: string | undefined,
  terminal: Terminal,
): void {
  for (const [path, text] of Object.entries(files)) {
    const name = join(shown ?? "", path)
    refuseLinked(folder, path, name)
    if (writeNew(join(folder, path), text, name)) terminal.out(`wrote ${name}\n`)
    else terminal.err(`kept  ${name}, which already exists\n`)
  }
}

/** Never writes through a link in the folder. */
function refuseLinked(folder: string, path: string, name: string): void {
  const real = writeTarget(folder)
  if (real !== undefined && writeTarget(join(folder, dirname(path))) === join(real, dirname(path))) return
  throw new IncipitError("unwritable-file", `${name} was not written because its folder is a link`)
}

function writeNew(path: string, text: string, name: string): boolean {
  try {
    const folder = dirname(path)
    // Plans will be stored there, too.
    mkdirSync(folder, { recursive: true, mode: basename(folder) === INCIPIT_FOLDER ? 0o700 : 0o777 })
    replaceFile({ path: join(realPath(folder), basename(path)), before: undefined, after: Buffer.from(text) })
    return true
  } catch (error) {
    if (error instanceof NotReplaced && isThere(path)) return false
    throw unwritable(name, error)
  }
}

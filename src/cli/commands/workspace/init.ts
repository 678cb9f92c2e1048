// `incipit init`: a workspace that compiles without diagnostics, from a few questions. Never overwrites a file; uses what
// is in the folder already.
import { existsSync, mkdirSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { chooseModel } from "../../../agent/models/choose-model.ts"
import { missingKey, providerFor, providersOf } from "../../../agent/models/providers.ts"
import { approveFolder } from "../../../approval/folder.ts"
import { IncipitError } from "../../../base/error.ts"
import { unwritable } from "../../../base/system-error.ts"
import { plural } from "../../../base/text/figures.ts"
import { shownFrom } from "../../../files/inside.ts"
import { INCIPIT_FOLDER } from "../../../files/paths.ts"
import { realPath, writeTarget } from "../../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../../files/replace-file.ts"
import { DEFAULT_PROFILE } from "../../../sources/config/defaults.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { askLine } from "../../command-line/ask-line.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { DEFAULT_NAME } from "../../command-line/table/commands.ts"
import { homeFolder, withVariables } from "../../command-line/variables.ts"
import type { Streams, Terminal } from "../../terminal.ts"
import { oneLine, wrap } from "../../views/widths.ts"
import { gatherFromFlags } from "../prompt/resolve.ts"
import { approvalState } from "./folder-question.ts"
import { type Answers, ejected, filesOf } from "./init-files.ts"
import { hasInstructions, signOf } from "./init-signs.ts"

const DEFAULTS: Answers = {
  name: DEFAULT_NAME,
  purpose: "helps with everyday tasks",
  owner: "you",
  model: undefined,
  hasHeartbeat: false,
}

export async function run({ words, flags, terminal }: Invocation<"init">): Promise<number> {
  const folder = resolve(terminal.cwd, words[0] ?? ".")
  if (flags.eject) {
    writeAll(ejected(), folder, words[0], terminal)
    return 0
  }
  for (const line of await describe(folder, terminal)) terminal.err(`${line}\n`)
  const answers = await answersOf(flags, terminal, folder)
  if (answers === undefined) {
    terminal.err("Nothing was written.\n")
    return 2
  }
  const profile = profileFor(folder)
  const place = { profile, timeZone: terminal.timeZone, hasInstructions: hasInstructions(folder) }
  const isNew = !existsSync(join(folder, "incipit.yaml"))
  writeAll(filesOf(answers, place), folder, words[0], terminal)
  keepApproval(folder, isNew, terminal)
  for (const line of ["", ...modelLines(folder, terminal), ...nextLines(words[0], profile)])
    terminal.out(`${line}\n`)
  return 0
}

/** Approves what was created here without asking. Things named in existing files were not created here. */
function keepApproval(folder: string, isNew: boolean, terminal: Terminal): void {
  const home = homeFolder({}, terminal)
  const workspace = openWorkspace(folder, { home })
  const { brings } = approvalState(workspace, home)
  if (isNew)
    approveFolder(
      workspace.root,
      brings.filter(({ kind }) => kind !== "state"),
      { home, at: terminal.now() },
    )
}

function profileFor(folder: string): string {
  return signOf(folder)?.profile ?? DEFAULT_PROFILE
}

/** Which system the folder belongs to, and what of it enters the prompt. Empty for an empty or missing folder. */
async function describe(folder: string, terminal: Terminal): Promise<readonly string[]> {
  if (!existsSync(folder)) return []
  const sign = signOf(folder)
  const flags = { workspace: folder, cwd: folder, ...(sign && { profile: sign.profile }) }
  const { agent, session, profile, workspace } = await gatherFromFlags(flags, terminal)
  const files = [...agent.files, ...session.files].map(({ path }) => shownFrom(path, workspace.root))
  const skills = [...(agent.skills ?? []), ...(session.skills ?? [])]
  const used = [...new Set(files), ...(skills.length === 0 ? [] : [plural(skills.length, "skill")])]
  if (used.length === 0) return []
  const whose = sign === undefined ? "" : `This folder has the layout of ${sign.system}. `
  return wrap(`${whose}The profile ${profile.name} uses ${used.join(", ")}.`, terminal.columns)
}

async function answersOf(
  flags: FlagsOf<"init">,
  terminal: Terminal,
  folder: string,
): Promise<Answers | undefined> {
  const given: Partial<Answers> = {
    ...(flags.name !== undefined && { name: flags.name }),
    ...(flags.model !== undefined && { model: knownModel(flags.model) }),
    ...(flags.heartbeat && { hasHeartbeat: true }),
  }
  if (flags.yes) return { ...DEFAULTS, ...given }
  const { streams } = terminal
  if (streams === undefined || !streams.input.isTTY || !streams.output.isTTY)
    throw new IncipitError(
      "bad-argument",
      "there is no terminal to ask questions on; to accept the defaults, add --yes",
    )
  return askQuestions({ ...DEFAULTS, owner: terminal.env.USER ?? DEFAULTS.owner, ...given }, given, {
    streams,
    terminal,
    folder,
  })
}

/** An unknown model is better refused now than with the first message. */
function knownModel(id: string): string {
  providerFor(id, {})
  return id
}

interface QuestionContext {
  readonly streams: Streams
  readonly terminal: Terminal
  readonly folder: string
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
  { streams, terminal, folder }: QuestionContext,
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
    answers = { ...answers, hasHeartbeat: /^y(es)?$/i.test(line.trim()) }
  }
  return answers
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

function modelLines(folder: string, { env, columns }: Terminal): readonly string[] {
  const { config } = openWorkspace(folder)
  const choice = chooseModel({ configured: withVariables({}, { env }).model ?? config.model, env, config })
  const text =
    choice.kind === "model"
      ? `${choice.id} will answer: ${choice.why}.`
      : `The offline model will answer: ${choice.why}. \`incipit models\` shows your options.`
  return wrap(text, columns)
}

function nextLines(folder: string | undefined, profile: string): readonly string[] {
  const where = folder === undefined || folder === "." ? "" : ` --workspace ${folder}`
  const file = join(folder ?? "", profile === "incipit" ? "SOUL.md" : "incipit.yaml")
  return [
    `Next: edit ${file}, then see the prompt: incipit build${where}`,
    `      chat with the agent: incipit chat${where}`,
    `      take the tour: incipit tour${where}`,
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
    if (error instanceof NotReplaced && existsSync(path)) return false
    throw unwritable(name, error)
  }
}

// An input of the server, ready to be compiled with changes. What did not change stays the same object, so the compiler
// writes only what did.
import { digest } from "../../../../src/base/digest.ts"
import { type Compiler, createCompiler } from "../../../../src/core/compile/compiler.ts"
import { inModelTokens } from "../../../../src/core/fit/budget.ts"
import type { Agent, Session } from "../../../../src/core/model/inputs.ts"
import type { Profile } from "../../../../src/core/model/profile.ts"
import type { Prompt } from "../../../../src/core/model/prompt.ts"
import type { SourceFile, ValueLines } from "../../../../src/core/model/source.ts"
import { adjustProfile, type SectionSetting } from "../../../../src/profiles/adjust.ts"
import type {
  PlainFile,
  PlainLines,
  WhatIfInput,
  WhatIfModel,
} from "../../../../src/serve/page/what-if/what-if-shown.ts"
import { factorFor } from "../../../../src/tokens/factor.ts"
import { o200k } from "../../../../src/tokens/o200k.ts"
import type { WhatIfSettings } from "./protocol.ts"

export interface OpenedInput {
  readonly input: WhatIfInput
  compile(settings: WhatIfSettings): Prompt
  /** The adjusted profile with these settings. */
  profile(settings: WhatIfSettings): Profile
  modelOf(settings: WhatIfSettings): WhatIfModel | undefined
  messageOf(settings: WhatIfSettings): string
  /** What a section of the head says, without its envelope. */
  sectionText(section: string): string
}

export function openInput(input: WhatIfInput, bundled: Profile): OpenedInput {
  const compilers = lastUsed((sections: string) => {
    const { profile } = adjusted(input, bundled, parsedSections(sections))
    return { profile, compiler: createCompiler({ profile, counter: o200k }) }
  })
  const madeFor = ({ sections }: WhatIfSettings) => compilers(JSON.stringify(sections))
  const fileOf = editor(input)
  const own: Agent = { ...input.agent, files: input.agent.files.map(revived) }
  const ownSession: Session = { ...input.session, files: input.session.files.map(revived) }
  const agents = lastUsed((key: string): Agent => {
    const { files, format } = parsedFiles(key)
    const changed = { ...own, files: own.files.map((file) => fileOf(file, files)) }
    return format === undefined ? changed : { ...changed, toolFormat: format }
  })
  const sessions = lastUsed((key: string): Session => {
    const { files, model } = parsedFiles(key)
    const changed = { ...ownSession, files: ownSession.files.map((file) => fileOf(file, files)) }
    return model === undefined ? changed : withModel(changed, model)
  })
  const modelOf = ({ model }: WhatIfSettings) => input.models.find(({ id }) => id === model)
  const messageOf = ({ message }: WhatIfSettings) => message ?? input.turn.message ?? ""
  return {
    ...{ input, modelOf, messageOf },
    profile: (settings) => madeFor(settings).profile,
    compile(settings) {
      const model = modelOf(settings)
      const agent = agents(filesKey({ files: settings.files, format: model?.toolFormat }))
      const session = sessions(filesKey({ files: settings.files, model: model?.id }))
      return compileWith(madeFor(settings).compiler, { input, agent, session, settings, model })
    },
    sectionText(section) {
      const { compiler, profile } = madeFor({ sections: {}, files: {} })
      return builtText(profile, section, compiler.view(own, ownSession))
    },
  }
}

interface Compiling {
  readonly input: WhatIfInput
  readonly agent: Agent
  readonly session: Session
  readonly settings: WhatIfSettings
  readonly model: WhatIfModel | undefined
}

function compileWith(compiler: Compiler, { input, agent, session, settings, model }: Compiling): Prompt {
  const { ttl, diagnostics, countsMessage } = input
  const { head, now, message } = settings
  const ratio = model === undefined ? input.budget.ratio : ratioOf(model.id)
  const budget = { ...input.budget, ...(ratio && { ratio }), ...(head !== undefined && { head }) }
  const said = message ?? input.turn.message
  const turn = {
    ...input.turn,
    ...(now !== undefined && { now }),
    ...(said !== undefined && { message: said }),
  }
  const counted = countsMessage ? o200k.count(said ?? "") : 0
  return compiler
    .head(agent, session, { budget, ttl, diagnostics })
    .step(turn, { conversationTokens: inModelTokens(counted, ratio ?? { factor: 1, exact: true }) })
}

function ratioOf(model: string) {
  const { factor, exact } = factorFor(model)
  return { factor, exact }
}

/** The offline model stands for another one, whose name follows it. */
const OFFLINE = "offline/"

function withModel(session: Session, id: string): Session {
  const model = session.model?.startsWith(OFFLINE) ? `${OFFLINE}${id}` : id
  const { environment } = session
  if (environment === undefined) return { ...session, model }
  const [was, is] = [factsOf(session.model), factsOf(model)]
  const facts = Object.entries(environment).map(([key, value]) => [
    key,
    // A value that incipit.yaml sets does not follow the model.
    was[key] === value ? (is[key] ?? value) : value,
  ])
  return { ...session, model, environment: Object.fromEntries(facts) }
}

/** What the prompt's facts about the machine say of a model. */
function factsOf(model = ""): Readonly<Record<string, string>> {
  const [provider = "", ...name] = model.split("/")
  return name.length === 0 ? { model: provider } : { provider, model: name.join("/") }
}

function adjusted({ profile }: WhatIfInput, bundled: Profile, changes: WhatIfSettings["sections"]) {
  const { sections = {}, order } = profile.kind === "bundled" ? profile.adjustment : {}
  const next: Record<string, SectionSetting> = { ...sections }
  for (const [id, change] of Object.entries(changes)) {
    const was = next[id]
    if (change === "on") delete next[id]
    else if (change === "off") next[id] = "off"
    else next[id] = { ...(typeof was === "object" ? was : {}), text: change.text }
  }
  return adjustProfile(bundled, { sections: next, order })
}

/** The new text of a file, as if it were in the file. The same text gives the same object. */
function editor({ files }: WhatIfInput) {
  const before = new Map(
    files.flatMap((file) => (file.kind === "editable" ? [[file.path, file.before]] : [])),
  )
  const made = new WeakMap<SourceFile, SourceFile>()
  return (file: SourceFile, edits: WhatIfSettings["files"]): SourceFile => {
    const text = Object.hasOwn(edits, file.path) ? edits[file.path] : undefined
    const head = before.get(file.path)
    if (text === undefined || head === undefined || text === file.text) return file
    const last = made.get(file)
    if (last?.text === text) return last
    const edited = { ...file, text, digest: digest(`${head}${text}`) }
    made.set(file, edited)
    return edited
  }
}

function builtText(profile: Profile, id: string, view: ReturnType<Compiler["view"]>): string {
  const spec = profile.sections.find((section) => section.id === id)
  if (spec === undefined || spec.pace === "turn") return ""
  const built = spec.pace === "stable" ? spec.build({ agent: view.agent }) : spec.build(view)
  if (typeof built === "string") return built.trim()
  if (built === undefined || !("parts" in built)) return ""
  return built.parts
    .map((part) => ("text" in part ? part.text : ""))
    .join("")
    .trim()
}

function revived({ lines, ...file }: PlainFile): SourceFile {
  return lines === undefined ? file : { ...file, lines: revivedLines(lines) }
}

function revivedLines({ line, below }: PlainLines): ValueLines {
  if (below === undefined) return { line }
  return { line, below: new Map(below.map(([key, inner]) => [key, revivedLines(inner)])) }
}

interface FilesKey {
  readonly files: WhatIfSettings["files"]
  readonly format?: Agent["toolFormat"] | undefined
  readonly model?: string | undefined
}

function filesKey(key: FilesKey): string {
  return JSON.stringify(key)
}

function parsedFiles(key: string): FilesKey {
  // It was written by `filesKey`.
  return JSON.parse(key) as FilesKey
}

function parsedSections(key: string): WhatIfSettings["sections"] {
  // It was written from settings.
  return JSON.parse(key) as WhatIfSettings["sections"]
}

/** What was made for the last key, and for the first one: the real prompt is compared with again and again. */
function lastUsed<V>(make: (key: string) => V): (key: string) => V {
  let first: { readonly key: string; readonly value: V } | undefined
  let last: { readonly key: string; readonly value: V } | undefined
  return (key) => {
    const known = [first, last].find((one) => one?.key === key)
    if (known !== undefined) return known.value
    const made = { key, value: make(key) }
    first ??= made
    last = made
    return made.value
  }
}

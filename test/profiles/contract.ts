// The contract of every profile: what holds for its prompts, whatever the input contains or lacks. A test file calls
// testProfile with a profile and some inputs; each is also tried with random parts missing.
import { existsSync, readFileSync } from "node:fs"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { atLeast, mostOf, TRUSTS, type Trust } from "../../src/base/trust.ts"
import { compile } from "../../src/core/compile/compiler.ts"
import type { Agent, Session, Turn } from "../../src/core/model/inputs.ts"
import type { Plan, Span } from "../../src/core/model/plan.ts"
import type { Profile } from "../../src/core/model/profile.ts"
import { fingerprintOf, type Prompt } from "../../src/core/model/prompt.ts"
import type { SourceFile } from "../../src/core/model/source.ts"
import { o200k } from "../../src/tokens/o200k.ts"

export interface ProfileCase {
  readonly name: string
  readonly agent: Agent
  readonly session: Session
  readonly turn: Turn
}

type Inputs = Omit<ProfileCase, "name">

/** Tools that profiles may mention, in addition to their own. */
const KNOWN_TOOLS = [
  "notify_user",
  "memory_search",
  "memory_get",
  "memory_write",
  "read",
  "write",
  "edit",
  "shell",
]

export interface ContractOptions {
  /** The profile's page, if it isn't the one with its name. */
  readonly page?: string
  /** Why blank lines may add up, if they do in the reproduced system. */
  readonly blankLines?: string
}

export function testProfile(
  profile: Profile,
  cases: readonly ProfileCase[],
  { page = profile.name, blankLines }: ContractOptions = {},
): void {
  const wrong = (inputs: Inputs) =>
    broken(profile, inputs).filter((line) => blankLines === undefined || !line.endsWith(" line ends"))
  describe(`the contract of ${profile.name}`, () => {
    test("is safe for untrusted text, or its page says that it is not", () => {
      expect(profile.markup?.safe || saysUnsafe(page)).toBe(true)
    })

    test.each(cases)("holds for $name", (given) => {
      expect(wrong(given)).toEqual([])
    })

    test.each(cases)("holds for $name with anything left out", (given) => {
      fc.assert(
        fc.property(someOf(given), (inputs) => {
          expect(wrong(inputs)).toEqual([])
        }),
        { seed: 2026, numRuns: 40 },
      )
    })
  })
}

function saysUnsafe(name: string): boolean {
  const page = `docs/profiles/${name}.md`
  return existsSync(page) && readFileSync(page, "utf8").includes("unsafe for untrusted text")
}

/** The rules that a prompt of the profile breaks, each with its place. */
export function broken(profile: Profile, inputs: Inputs): readonly string[] {
  const prompt = compiled(profile, inputs)
  return [
    ...gaps(prompt.plan),
    ...rubble(prompt.plan),
    ...traces(profile, inputs, prompt),
    ...differences(profile, inputs, prompt),
    ...missingEntries(profile, prompt),
    ...leaks(inputs, prompt.plan),
    ...leakedTexts(inputs, prompt.text),
    ...absentTools(profile, prompt, inputs.agent),
  ]
}

function compiled(profile: Profile, { agent, session, turn }: Inputs): Prompt {
  return compile(profile, { agent, session, turn }, { counter: o200k })
}

/** Every unit of every block belongs to exactly one entry. */
function gaps({ entries, blocks }: Plan): readonly string[] {
  return blocks.flatMap(({ text }, block) => {
    const spans = entries.flatMap((entry) => entry.spans.filter((span) => span.block === block))
    const ends = spans.toSorted((a, b) => a.start - b.start || a.end - b.end)
    const wrong = ends.flatMap(({ start, end }, at) => {
      const before = ends[at - 1]?.end ?? 0
      return start === before && end > start ? [] : [`block ${block}: a gap or an overlap at ${start}`]
    })
    return (ends.at(-1)?.end ?? 0) === text.length ? wrong : [...wrong, `block ${block}: its end is nobody's`]
  })
}

/** No empty tags, and no runs of blank lines except those of a file. */
function rubble(plan: Plan): readonly string[] {
  const own = plan.blocks.map(({ text }, block) => withoutFiles(text, spansIn(plan, block))).join("")
  const empty = /<([A-Za-z][\w-]*)(?:\s[^<>]*)?>\s*<\/\1>/.exec(own)
  const blank = own.match(/\n{3,}/g) ?? []
  return [
    ...(empty === null ? [] : [`an empty tag: ${empty[0]}`]),
    ...blank.map((run) => `a run of ${run.length} line ends`),
  ]
}

/** The text with a letter in place of text from files, whose line ends don't count. */
function withoutFiles(text: string, spans: readonly Span[]): string {
  return spans
    .map(({ start, end, from }) => {
      const part = text.slice(start, end)
      if (from?.kind !== "file") return part
      return part.trim() === "" ? "" : "x"
    })
    .join("")
}

function spansIn({ entries }: Plan, block: number): readonly Span[] {
  return entries
    .flatMap(({ spans }) => spans.filter((span) => span.block === block))
    .toSorted((a, b) => a.start - b.start)
}

/** A section that was left out leaves the text as if the profile never had it. */
function traces(profile: Profile, inputs: Inputs, { text, plan }: Prompt): readonly string[] {
  const isThere = new Set(plan.entries.flatMap(({ id, spans }) => (spans.length > 0 ? [id] : [])))
  const sections = profile.sections.filter(({ id }) => isThere.has(id))
  const without = compiled({ ...profile, sections }, inputs).text
  return without === text ? [] : ["a section that was left out changed the text of others"]
}

/** The same input, in other objects and with another compiler, gives the same bytes. */
function differences(profile: Profile, { agent, session, turn }: Inputs, prompt: Prompt): readonly string[] {
  const again = compiled(profile, structuredClone({ agent, session, turn }))
  const isSame = again.text === prompt.text && fingerprintOf(again) === fingerprintOf(prompt)
  return isSame ? [] : ["the same input gave other bytes"]
}

/** One entry per section, in order if the profile has a declared order. */
function missingEntries({ sections, order }: Profile, { plan }: Prompt): readonly string[] {
  const expected = sections.map(({ id }) => id)
  const found = plan.entries.filter(({ kind }) => kind === "section").map(({ id }) => id)
  const inOrder = (ids: readonly string[]) => (order === "declared" ? ids : ids.toSorted()).join(" ")
  return inOrder(found) === inOrder(expected) ? [] : [`the sections have the entries ${found.join(", ")}`]
}

/** The text contains nothing that the audience may not see, by section, part and file. */
function leaks({ agent, session }: Inputs, { entries }: Plan): readonly string[] {
  const has = session.audience.trust
  const sources = [...agent.files, ...session.files, ...(agent.skills ?? []), ...(session.skills ?? [])]
  const needs = new Map<string, Trust>()
  for (const { identity, trust } of sources)
    needs.set(identity, mostOf(trust, needs.get(identity) ?? "public"))
  return entries.flatMap(({ id, trust, spans }) => {
    const hidden = spans.filter(
      ({ from }) => from?.kind === "file" && !atLeast(has, needs.get(from.identity) ?? "public"),
    )
    return (spans.length === 0 || atLeast(has, trust)) && hidden.length === 0
      ? []
      : [`${id} is told to ${has} trust`]
  })
}

/** Text that only a hidden file contains appears nowhere, whoever wrote it there. */
function leakedTexts({ agent, session }: Inputs, text: string): readonly string[] {
  const files = [...agent.files, ...session.files]
  const isHidden = ({ trust }: SourceFile) => !atLeast(session.audience.trust, trust)
  const seen = files.filter((file) => !isHidden(file)).flatMap(textsOf)
  return files
    .filter(isHidden)
    .flatMap(textsOf)
    .filter((line) => text.includes(line) && !seen.some((other) => other.includes(line)))
    .map((line) => `a hidden file says: ${line}`)
}

/** Shorter lines are too common to prove a leak. */
const TELLING = 12

/** The lines of a file, and the texts among its fields. */
function textsOf({ text, fields }: SourceFile): readonly string[] {
  const inside = (value: unknown): readonly string[] => {
    if (typeof value === "string") return value.split("\n")
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(inside) : []
  }
  return [...text.split("\n"), ...inside(fields)]
    .map((line) => line.trim())
    .filter((line) => line.length >= TELLING)
}

/** The profile's own text names no unregistered tool. A name that is also a word counts only if clearly a name. */
function absentTools(profile: Profile, { plan }: Prompt, { tools }: Agent): readonly string[] {
  const registered = new Set(tools.map(({ name }) => name))
  const names = new Set([...KNOWN_TOOLS, ...(profile.tools ?? []).map(({ name }) => name)])
  const own = plan.blocks.map(({ text }, block) => withoutFiles(text, spansIn(plan, block))).join("")
  return [...names]
    .filter((name) => !registered.has(name) && mentions(own, name))
    .map((name) => `${name} is spoken of and not registered`)
}

function mentions(text: string, name: string): boolean {
  const isWord = /^[a-z]+$/.test(name)
  const clear = `\`${name}\`|\\b${name}\\(|\\b${name} tool\\b|\\b(?:[Uu]se|[Ww]ith) ${name}\\b`
  return new RegExp(isWord ? clear : `\\b${name}\\b`).test(text)
}

/** Any part of the input, for any audience. */
function someOf({ agent, session, turn }: ProfileCase): fc.Arbitrary<Inputs> {
  const { id, audience, files, ...facts } = session
  return fc
    .record({
      files: some(agent.files),
      tools: some(agent.tools),
      extensions: some(agent.extensions),
      skills: some(agent.skills ?? []),
      memory: some(agent.memory ?? []),
      sessionFiles: some(files),
      facts: some(Object.entries(facts)),
      inputs: some(Object.entries(turn.inputs ?? {})),
      trust: fc.constantFrom(...TRUSTS),
    })
    .map((chosen) => ({
      agent: {
        ...agent,
        files: chosen.files,
        tools: chosen.tools,
        extensions: chosen.extensions,
        skills: chosen.skills,
        memory: chosen.memory,
      },
      session: {
        id,
        audience: { ...audience, trust: chosen.trust },
        files: chosen.sessionFiles,
        ...Object.fromEntries(chosen.facts),
      },
      turn: { ...turn, inputs: Object.fromEntries(chosen.inputs) },
    }))
}

function some<T>(items: readonly T[]): fc.Arbitrary<readonly T[]> {
  return fc.subarray([...items])
}

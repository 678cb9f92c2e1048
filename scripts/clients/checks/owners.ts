// Whether the tokens of an instruction file that is in a request are put down to its lines, and nothing is put down to a
// file that isn't. What is in a request is found here by plain text, apart from the code that is checked.
import { readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { createSourceMap } from "../../../src/capture/attribute/source-map.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import type { OwnedSpan } from "../../../src/capture/owner.ts"
import { createSplitter, type SplitCall } from "../../../src/capture/split/splitter.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import type { Check } from "../check.ts"
import type { Session } from "../run-client.ts"
import { mainCalls } from "../wire-truth.ts"
import { wireReader } from "./session-bill.ts"

/** Files that a client reads besides its instructions: lists of skills and such, and what the session's turns read. */
const SENT = /(?:^|\/)\.(?:claude|agents|pi|opencode|gemini|codex)\/|^README\.md$/

export async function checkOwners(
  session: Session,
  tree: string,
  wrongTree: string,
): Promise<readonly Check[]> {
  const { client, place } = session
  const file = join(place.tree, client.instructions)
  const read = await lastMainCall(session)
  const about = { name: "owners", client: client.name, from: "wire" } as const
  if (read === undefined) return [{ ...about, what: tree, holds: false, result: "no call" }]
  const { call, split } = read
  const spans = await ownersOf(place.home, call, split)
  const found = instructionsIn(split, readFileSync(file, "utf8"))
  const owned = found.reduce((sum, at) => sum + tokensOf(spans[at.part] ?? [], at, file), 0)
  const there = found.reduce((sum, { text }) => sum + o200k.count(text), 0)
  const isSent = (path: string) => {
    const inside = insideOf(place.tree, path)
    // Whatever is in the home folder was put there by the client.
    return (
      path === file || inside === undefined || inside.startsWith(`${client.skills}/`) || SENT.test(inside)
    )
  }
  const strangers = strangersIn(spans, (path) => !isSent(path))
  const elsewhere = await ownersOf(place.home, { ...call, project: wrongTree, files: [] }, split)
  const wrong = strangersIn(elsewhere, (path) => insideOf(wrongTree, path) !== undefined)
  const share = there === 0 ? 0 : owned / there
  return [
    {
      ...about,
      what: `${tree}: lines of ${client.instructions}`,
      holds: share >= 0.99,
      result: `${(share * 100).toFixed(1)} % of ${there} tokens in the request`,
    },
    { ...about, what: `${tree}: other files`, holds: strangers.length === 0, result: described(strangers) },
    { ...about, what: `${tree}: a wrong tree`, holds: wrong.length === 0, result: described(wrong) },
  ]
}

async function lastMainCall(session: Session): Promise<{ call: CapturedCall; split: SplitCall } | undefined> {
  const last = mainCalls(session.calls).at(-1)?.id
  const reader = wireReader(session)
  const [file] = await reader.files("")
  if (file === undefined) return undefined
  for await (const read of reader.calls(file)) {
    if (read.kind !== "call" || read.call.id !== last || read.call.request === undefined) continue
    const { call } = read
    return { call, split: createSplitter({ counter: o200k })(read.call.request, call.format) }
  }
  return undefined
}

async function ownersOf(home: string, call: CapturedCall, split: SplitCall) {
  return createSourceMap({ home, counter: o200k }).owners(call, split)
}

interface Found {
  readonly part: number
  readonly start: number
  readonly text: string
}

/** Wherever three lines of the file or more stand in the request: a client may leave out its head or cut its end. */
function instructionsIn({ parts }: SplitCall, text: string): readonly Found[] {
  const lines = text
    .replaceAll("\r", "")
    .trim()
    .split("\n")
    .map((line) => line.trimEnd())
  return parts.flatMap(({ text: sent, kind }, part): readonly Found[] => {
    // A tool result that shows the file isn't its place in the prompt.
    if (kind === "tool-result") return []
    const found: Found[] = []
    for (let at = 0; at + 3 <= lines.length; at += 1) {
      const start = sent.indexOf(lines.slice(at, at + 3).join("\n"))
      if (start === -1) continue
      let [next, end] = [at + 1, start + (lines[at]?.length ?? 0)]
      for (; next < lines.length && sent.startsWith(`\n${lines[next]}`, end); next += 1)
        end += (lines[next]?.length ?? 0) + 1
      found.push({ part, start, text: sent.slice(start, end) })
      at = next - 1
    }
    return found
  })
}

/** Tokens of the stretch whose owner is the file. */
function tokensOf(spans: readonly OwnedSpan[], { start, text }: Found, file: string): number {
  return spans.reduce((sum, span) => {
    const shared = Math.min(span.end, start + text.length) - Math.max(span.start, start)
    if (span.owner.path !== file || shared <= 0) return sum
    return (
      sum + o200k.count(text.slice(Math.max(0, span.start - start), Math.max(0, span.start - start) + shared))
    )
  }, 0)
}

function insideOf(folder: string, path: string): string | undefined {
  return path.startsWith(folder + sep) ? path.slice(folder.length + 1) : undefined
}

function strangersIn(
  parts: readonly (readonly OwnedSpan[])[],
  isStranger: (path: string) => boolean,
): readonly OwnedSpan[] {
  return parts.flat().filter(({ owner }) => owner.path !== undefined && isStranger(owner.path))
}

function described(spans: readonly OwnedSpan[]): string {
  const tokens = spans.reduce((sum, span) => sum + span.tokens, 0)
  const paths = [...new Set(spans.map(({ owner }) => owner.path?.split("/").slice(-3).join("/")))]
  return `${tokens} tokens${paths.length === 0 ? "" : `: ${paths.slice(0, 4).join(", ")}`}`
}

// Adds an entry to a memory file, below a line that names its author, which the text cannot forge. Refuses text that is
// already there, that memory itself returned or that was redacted, and any place above the writer's trust.
import { lstatSync } from "node:fs"
import { errorCode } from "../base/system-error.ts"
import { fenceLines, unclosedFences } from "../base/text/fence.ts"
import { TRUSTS, type Trust } from "../base/trust.ts"
import { isName, type Provenance, provenanceLine } from "../core/view/authorship.ts"
import { isInstructionName } from "../files/gate/instruction-names.ts"
import { NotReplaced, replaceFile } from "../files/replace-file.ts"
import { isRecalled } from "./recall.ts"
import { unitDigest } from "./shelf/shelf.ts"
import {
  isSeen,
  MAX_FILE_BYTES,
  type Place,
  placeOf,
  readInside,
  type Store,
  type Stores,
  visibleStores,
} from "./shelf/store.ts"
import { unitsOf } from "./shelf/units.ts"

/** Who writes a note, with which trust, and where to. */
export interface WriteOptions {
  readonly trust: Trust
  /** The author. */
  readonly by: string
  /** Default: the most trusted store that the writer may use. */
  readonly store?: string | undefined
  /** Relative to the store, or with its name in front. Default: the day's file. */
  readonly path?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

export type Refusal =
  | "empty"
  | "too-long"
  | "recalled"
  | "redacted"
  | "open-fence"
  | "bad-name"
  | "duplicate"
  | "no-such-place"
  | "instruction-name"
  | "file-full"
  | "unavailable"

/** Where a note was written, or why it was refused. */
export type WriteResult =
  | { readonly status: "written"; readonly path: string; readonly lines: readonly [number, number] }
  | { readonly status: "refused"; readonly why: Refusal; readonly reason: string }

const MAX_TEXT = 16 * 1024

const REASONS: Readonly<Record<Refusal, string>> = {
  empty: "the text is empty",
  "too-long": `the text is longer than ${MAX_TEXT} characters`,
  recalled: "the text was recalled from memory, so it is already there",
  redacted: "the text has redacted parts, which are not facts",
  "open-fence": "a code fence is not closed",
  "bad-name": "`by` is not a plain name",
  duplicate: "memory already has this",
  "no-such-place": "no such place in memory",
  "instruction-name": "that name is reserved for instruction files; choose another",
  "file-full": "the file would become too large; choose another one",
  unavailable: "the file cannot be written now",
}

export function refusal(why: Refusal): Refused {
  return { status: "refused", why, reason: REASONS[why] }
}

/** What is wrong with the text itself, independent of author and place. */
export function textRefusal(text: string, by: string): Refusal | undefined {
  if (!/[\p{L}\p{N}\p{S}]/u.test(text)) return "empty"
  if (text.length > MAX_TEXT) return "too-long"
  if (isRecalled(text)) return "recalled"
  if (/\[redacted:[^\]]*\]/i.test(text)) return "redacted"
  const lines = entryLines(text)
  if (unclosedFences(lines.map((line) => line.trim())).size > 0 || fenceLines([...lines, "."], "any").at(-1))
    return "open-fence"
  return isName(by) ? undefined : "bad-name"
}

/** A place that the writer may use: never in a store that requires more trust than the writer has. */
export function placeToWrite(stores: Stores, { trust, store, path, now }: WriteOptions): Place | undefined {
  const visible = visibleStores(stores, trust)
  const target = store === undefined ? mostTrusted(visible) : visible.find(({ name }) => name === store)
  const own = path === undefined ? `${new Date(now).toISOString().slice(0, 10)}.md` : path
  const [first] = own.split("/")
  if (path !== undefined && visible.some(({ name }) => name === first) && own.includes("/")) {
    // The store is given twice, with different names.
    if (store !== undefined && store !== first) return undefined
    return placeOf(stores, own, trust)
  }
  return target === undefined ? undefined : placeOf(stores, `${target.name}/${own}`, trust)
}

function mostTrusted(stores: readonly Store[]): Store | undefined {
  return stores.toSorted((a, b) => TRUSTS.indexOf(b.trust) - TRUSTS.indexOf(a.trust))[0]
}

/**
 * Whether a name in the path is one that agents read as instructions: memory records what people said, never
 * instructions.
 */
export function isInstructionPlace({ names }: Place): boolean {
  return names.some(isInstructionName)
}

/** The whole text of a file with the entry in it, and the lines of the entry. */
export interface Composed {
  readonly status: "composed"
  readonly place: Place
  readonly isNew: boolean
  readonly text: string
  readonly lines: readonly [number, number]
}

export type Entry = { readonly text: string } & Provenance

export type Refused = Extract<WriteResult, { readonly status: "refused" }>

/** The file as it would be with the entry. Changes nothing. */
export function composeEntry(stores: Stores, place: Place, entry: Entry): Composed | Refused {
  const exists = lstatSync(place.full, { throwIfNoEntry: false }) !== undefined
  const isTheirs = !exists || isSeen(stores, place, entry.trust)
  const old = exists && isTheirs ? readInside(place.full) : ""
  if (old === undefined || !isTheirs) return refusal("no-such-place")
  if (fenceLines([...old.split("\n"), "."], "any").at(-1)) return refusal("open-fence")
  // Another process may have written it since the index was checked.
  const digest = unitDigest(entry.text)
  const known = unitsOf(old, place.path).flatMap(({ units }) => units)
  if (known.some((unit) => unitDigest(unit.text) === digest)) return refusal("duplicate")
  const before = old === "" ? "" : `${old.trimEnd()}\n\n`
  const body = entryLines(entry.text).join("\n")
  const text = `${before}${provenanceLine(entry, entry.text)}\n${body}\n`
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) return refusal("file-full")
  const first = before.split("\n").length + 1
  const lines = [first, first + body.split("\n").length - 1] as const
  return { status: "composed", place, isNew: !exists, text, lines }
}

/** Appends the entry. The caller holds the lock that keeps out Incipit's other writers. */
export function appendEntry(stores: Stores, place: Place, entry: Entry): WriteResult {
  try {
    const made = composeEntry(stores, place, entry)
    if (made.status === "refused") return made
    replaceFile({
      path: place.full,
      before: made.isNew ? undefined : "any",
      after: Buffer.from(made.text),
      mode: 0o600,
    })
    return { status: "written", path: place.path, lines: made.lines }
  } catch (error) {
    if (error instanceof NotReplaced || errorCode(error) !== undefined) return refusal("unavailable")
    throw error
  }
}

/** A bullet; further lines are indented, so that none is at the left margin, where headings and provenance are. */
function entryLines(text: string): readonly string[] {
  const lines = text
    .replaceAll(/\r\n?|[\u2028\u2029\v\f]/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
    .replaceAll(/[\u0000-\u0008\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu, "")
    .trim()
    .split("\n")
  // A fence cannot start on the line of the bullet.
  if (/^(?:[-*+]\s+)?(?:`{3}|~{3})/.test(lines[0] ?? "")) lines.unshift("code:")
  return lines.map((line, at) => (at === 0 ? `- ${line.replace(/^[-*+]\s+/, "")}` : `  ${line}`.trimEnd()))
}

// Turns a path into a gathered file: read safely, split from its frontmatter, with the frontmatter's rules about who
// sees it.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { digest } from "../../base/digest.ts"
import { isTrust, mostOf, type Trust } from "../../base/trust.ts"
import { countNewlines } from "../../core/model/content.ts"
import { MODES, type Mode } from "../../core/model/mode.ts"
import { ON_CHANGES } from "../../core/model/on-change.ts"
import { PRIORITIES } from "../../core/model/priority.ts"
import type { SourceFile } from "../../core/model/source.ts"
import { asTrust, type Requirement, strictest } from "../../files/gate/requirement.ts"
import { stampAt } from "../../files/identity.ts"
import { unknownZone } from "../unknown-zone.ts"
import { readSource } from "./file.ts"
import { type FrontMatter, splitFrontMatter } from "./frontmatter.ts"
import { inspectText } from "./inspect.ts"
import { renamedKeys, withNewKeys } from "./renamed-keys.ts"

export interface FileOptions {
  readonly role: string
  /** The trust it requires if its frontmatter sets none. */
  readonly trust: Trust
  /** The path to show to people. */
  readonly shown: string
  /** Real paths of the folders that may be read. */
  readonly roots: readonly string[]
  /** A file of the workspace itself: its frontmatter may restrict who sees it. A cloned repository's may not. */
  readonly isOwn: boolean
  /** Comments at the top are for people and are not sent. */
  readonly stripComments?: boolean
  /** Sends the frontmatter with the rest. Its rules about who sees the file still apply. */
  readonly sendsFrontMatter?: boolean
  /** A data file: it has no frontmatter, whatever it begins with. */
  readonly isData?: boolean
}

/** The result for each file, by path and role, with the state of the file at the time it was read. */
export type FileCache = Map<string, { readonly state: string; readonly found: FileFound }>

export interface FileFound {
  /** Undefined if it does not exist or was refused. */
  readonly file: SourceFile | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** With a cache, an unchanged file is not read again, and one that cannot be read keeps its last text. */
export function readSourceFile(path: string, options: FileOptions, cache?: FileCache): FileFound {
  if (cache === undefined) return readNow(path, options)
  const key = `${options.role} ${options.trust} ${path}`
  const state = stampAt(path)
  const known = cache.get(key)
  if (known !== undefined && state !== undefined && known.state === state) return known.found
  const found = readNow(path, options)
  const { unavailable } = found.file ?? {}
  if (unavailable === undefined) cache.set(key, { state: state ?? "", found })
  else if (known?.found.file !== undefined) return { ...found, file: { ...known.found.file, unavailable } }
  return found
}

function readNow(path: string, options: FileOptions): FileFound {
  const { role, trust, shown, roots, isOwn } = options
  const found = readSource(path, { roots, shown })
  if (found.kind === "absent") return { file: undefined, diagnostics: [] }
  // Its frontmatter was not read, so its restrictions are unknown.
  if (found.kind === "refused")
    return { file: undefined, diagnostics: [{ ...found.diagnostic, needs: isOwn ? "full" : trust }] }
  const facts = { role, path: shown, trust }
  if (found.kind === "unavailable") {
    const { reason: unavailable } = found
    return {
      file: { ...facts, identity: path, text: "", firstLine: 1, digest: digest(""), fields: {}, unavailable },
      diagnostics: [],
    }
  }
  const inspected = inspectText(found.text, { path: shown, firstLine: 1, isOwn })
  if (isBinary([...found.diagnostics, ...inspected.diagnostics]))
    return {
      file: undefined,
      diagnostics: [{ code: "not-text", path: shown, needs: isOwn ? "full" : trust }],
    }
  const { fields, isBroken, diagnostics, ...split } =
    options.isData === true ? bareData(inspected.text) : splitFrontMatter(inspected.text, shown)
  const { body, firstLine } =
    options.sendsFrontMatter === true ? { body: inspected.text, firstLine: 1 } : split
  const comment = options.stripComments === true ? leadingComments(body) : ""
  const policy = isOwn ? policyOf(fields, facts, isBroken) : { own: { trust }, diagnostics: [] }
  const old = isOwn ? renamedIn(fields, inspected.text, shown) : []
  // Diagnostics are filtered by trust alone: those about a file limited to some situations go only to the owner.
  const needs = asTrust(policy.own)
  const text = body.slice(comment.length)
  const own = [...policy.diagnostics, ...old, ...found.diagnostics, ...inspected.diagnostics, ...diagnostics]
  return {
    file: {
      ...facts,
      ...policy.own,
      identity: found.identity,
      text,
      firstLine: firstLine + countNewlines(comment, 0, comment.length),
      digest: found.digest,
      fields,
    },
    diagnostics: [
      ...own.map((diagnostic) => ({ ...diagnostic, needs })),
      ...(role === "user" ? unknownZone(fields.timezone, shown) : []),
    ],
  }
}

/** Binary data, or text in UTF-16: without its NUL bytes it would be sent as noise. One stray NUL is neither. */
function isBinary(diagnostics: readonly Diagnostic[]): boolean {
  return ["invalid-utf8", "nul-characters"].every((wanted) => diagnostics.some(({ code }) => code === wanted))
}

function renamedIn(fields: FrontMatter["fields"], text: string, path: string): readonly Diagnostic[] {
  const lines = text.split("\n")
  return renamedKeys(fields).map(({ key, was, now }) => {
    const line = lines.findIndex((one) => one.startsWith(`${key}:`)) + 1
    return { code: "renamed-key", path, line: Math.max(1, line), was, now }
  })
}

/**
 * The same file with the gate's requirement added: it may need more than it declares, never less. A file that needs no
 * more stays the same object, and what was computed from it can be used again.
 */
export function underGuard(found: FileFound, guard: Requirement | undefined): FileFound {
  if (guard === undefined) return found
  const { trust: level = "public" } = guard
  const needs = level === "never" ? "full" : level
  const diagnostics = found.diagnostics.map((diagnostic) => ({
    ...diagnostic,
    needs: mostOf(diagnostic.needs ?? "public", asTrust(guard)),
  }))
  const { file } = found
  if (file === undefined || level === "never") return { file: undefined, diagnostics }
  const trust = mostOf(file.trust, needs)
  if (trust === file.trust && guard.situations === undefined && guard.modes === undefined)
    return { file, diagnostics }
  const joined = strictest([{ trust: file.trust, ...limitsOf(file) }, guard]) ?? guard
  return { file: { ...file, trust, ...limitsOf(joined) }, diagnostics }
}

function limitsOf({ situations, modes }: Requirement): Pick<SourceFile, "situations" | "modes"> {
  return { ...(situations && { situations }), ...(modes && { modes }) }
}

/** What the beginning of a workspace file declares about who may see it, for the gate. */
export function declaredIn(text: string, path: string): Requirement | undefined {
  if (!/^[\p{C}\s]*---/u.test(text)) return undefined
  const inspected = inspectText(text, { path, firstLine: 1, isOwn: true })
  const { fields, isBroken } = splitFrontMatter(inspected.text, path)
  if (isBroken) return { trust: "full" }
  // If the file declares no trust, its place decides.
  const { own } = policyOf(fields, { path, trust: "public" }, false)
  const needs = { ...(fields.trust !== undefined && { trust: own.trust }), ...limitsOf(own) }
  return Object.keys(needs).length === 0 ? undefined : needs
}

function bareData(body: string): FrontMatter {
  return { fields: {}, body, firstLine: 1, isBroken: false, diagnostics: [] }
}

/** Comments before the text, which are for people only. */
export function leadingComments(body: string): string {
  return /^(?:\s*<!--[\s\S]*?-->)*/.exec(body)?.[0] ?? ""
}

interface Policy {
  readonly own: Pick<SourceFile, "trust" | "situations" | "modes" | "priority" | "onChange" | "maxTokens">
  readonly diagnostics: readonly Diagnostic[]
}

/** The frontmatter's rules about who sees the file. An unknown level hides it from all but the owner. */
function policyOf(
  written: Readonly<Record<string, unknown>>,
  file: { readonly path: string; readonly trust: Trust },
  isBroken: boolean,
): Policy {
  // The restrictions of unreadable frontmatter are unknown, so only the owner sees the file.
  if (isBroken) return { own: { trust: "full" }, diagnostics: [] }
  const fields = withNewKeys(written)
  const situations = stringsOf(fields.situations)
  const modes = stringsOf(fields.audience)?.filter((mode): mode is Mode =>
    MODES.some((known) => known === mode),
  )
  const odd = [situations?.length === 0 && "situations", modes?.length === 0 && "audience"].filter(
    (key) => key !== false,
  )
  const problems = odd.map((key): Diagnostic => {
    const problem = `"${key}" matches nothing that exists, so the file is never sent`
    return { code: "bad-frontmatter", path: file.path, line: 1, problem }
  })
  const priority = PRIORITIES.find((known) => known === fields.priority)
  const onChange = ON_CHANGES.find((known) => known === fields.on_change)
  const maxTokens =
    Number.isInteger(fields.max_tokens) && Number(fields.max_tokens) > 0
      ? Number(fields.max_tokens)
      : undefined
  const rest = {
    ...(situations && { situations }),
    ...(modes && { modes }),
    ...(priority && { priority }),
    ...(onChange && { onChange }),
    ...(maxTokens && { maxTokens }),
  }
  const declared = fields.trust ?? file.trust
  if (isTrust(declared)) return { own: { trust: declared, ...rest }, diagnostics: problems }
  const diagnostic: Diagnostic = {
    code: "unknown-trust",
    path: file.path,
    // An object's toString could return anything the file says.
    value: typeof declared === "object" ? "a list or a map" : String(declared),
    used: "full",
  }
  return { own: { trust: "full", ...rest }, diagnostics: [diagnostic, ...problems] }
}

/** Returns undefined if it is not given, and an empty list if its form is unusable. */
function stringsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (typeof value === "string") return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : []
}

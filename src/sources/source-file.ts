// From a path to a gathered file: read safely, split from its frontmatter, with what that says about who sees it.
import type { Diagnostic } from "../core/diagnostic.ts"
import { digest } from "../core/digest.ts"
import { MODES, type Mode } from "../core/scope.ts"
import type { SourceFile } from "../core/source.ts"
import { isTrust, type Trust } from "../core/trust.ts"
import { readSource } from "./file.ts"
import { splitFrontMatter } from "./frontmatter.ts"

export interface FileOptions {
  readonly role: string
  /** What it needs if its frontmatter does not say. */
  readonly trust: Trust
  /** How the path is shown to people. */
  readonly shown: string
  /** Real paths of the folders that may be read. */
  readonly roots: readonly string[]
  /** A file of the workspace itself: its frontmatter may say who sees it. A cloned repository's may not. */
  readonly isOwn: boolean
}

export interface FileFound {
  /** Nothing, if it is not there or was refused. */
  readonly file: SourceFile | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export function readSourceFile(path: string, options: FileOptions): FileFound {
  const { role, trust, shown, roots, isOwn } = options
  const found = readSource(path, { roots, shown })
  if (found.kind === "absent") return { file: undefined, diagnostics: [] }
  if (found.kind === "refused")
    return { file: undefined, diagnostics: [{ ...found.diagnostic, needs: trust }] }
  const facts = { role, path: shown, trust }
  if (found.kind === "unavailable") {
    const { reason: unavailable } = found
    return {
      file: { ...facts, identity: path, text: "", firstLine: 1, digest: digest(""), fields: {}, unavailable },
      diagnostics: [],
    }
  }
  const { fields, body, firstLine, diagnostics } = splitFrontMatter(found.text, shown)
  const policy = isOwn ? policyOf(fields, facts) : { own: { trust }, diagnostics: [] }
  const needs = policy.own.trust
  return {
    file: {
      ...facts,
      ...policy.own,
      identity: found.identity,
      text: body,
      firstLine,
      digest: found.digest,
      fields,
    },
    diagnostics: [...policy.diagnostics, ...found.diagnostics, ...diagnostics].map((finding) => ({
      ...finding,
      needs,
    })),
  }
}

interface Policy {
  readonly own: Pick<SourceFile, "trust" | "situations" | "modes">
  readonly diagnostics: readonly Diagnostic[]
}

/** What the frontmatter says about who sees the file. A level that does not exist hides it from all but the owner. */
function policyOf(
  fields: Readonly<Record<string, unknown>>,
  file: { readonly path: string; readonly trust: Trust },
): Policy {
  const situations = stringsOf(fields.situations)
  const modes = stringsOf(fields.audience)?.filter((mode): mode is Mode =>
    MODES.some((known) => known === mode),
  )
  const rest = { ...(situations && { situations }), ...(modes && { modes }) }
  const declared = fields.trust ?? file.trust
  if (isTrust(declared)) return { own: { trust: declared, ...rest }, diagnostics: [] }
  const diagnostic: Diagnostic = {
    code: "unknown-trust",
    path: file.path,
    value: String(declared),
    used: "full",
  }
  return { own: { trust: "full", ...rest }, diagnostics: [diagnostic] }
}

export function stringsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined
}

// The sections of `definePrompt`: a text, a function of a session's or a turn's inputs, or files. The key in `sections`
// becomes the id. Plain data, so that other folders can make one without knowing the compiler.
import type { Diagnostic } from "../base/diagnostic.ts"
import type { Pace } from "../base/pace.ts"
import type { Trust } from "../base/trust.ts"
import type { Content } from "../core/model/content.ts"
import type { Priority } from "../core/model/priority.ts"
import type { Cut, SectionSpec } from "../core/model/section.ts"
import type { SourceFile } from "../core/model/source.ts"
import type { SectionText } from "./section-text.ts"

/** How a section behaves; everything has a default. */
export interface SectionOptions<P extends Pace> {
  /** Which text stays when there isn't enough room. Default: "medium". */
  readonly priority?: Priority | undefined
  /** Who may see the section at all. Default: "public". */
  readonly trust?: Trust | undefined
  /** How the text is shortened if it doesn't fit. Default: "lines". */
  readonly cut?: Cut | undefined
  /** What happens when the text changes after it was sent. Default: "append" in the head, "turn" in the tail. */
  readonly onChange?: SectionSpec<P>["onChange"] | undefined
  /** The heading of the section, if the prompt is written with headings. Default: made from the key. */
  readonly title?: string | undefined
  /** Written without a tag around it. Only for text of your own. */
  readonly bare?: true | undefined
  /** `operator`: the text has only your own words, so models that accept late system messages get it as one. */
  readonly voice?: "operator" | undefined
}

/** A value of `sections`. `Needs`: the inputs that its function takes. */
export interface DefinedSection<P extends Pace = Pace, Needs = never> {
  readonly pace: P
  readonly options: SectionOptions<P>
  readonly source: SectionSource<Needs>
}

/** A section of any pace, whatever its function needs. */
export type AnyDefinedSection = DefinedSection<"stable"> | DefinedSection<"session"> | DefinedSection<"turn">

/** Where the text of a section comes from. */
export type SectionSource<Needs = never> =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "function"; readonly write: (inputs: Needs) => SectionText }
  | {
      readonly kind: "files"
      readonly files: readonly SourceFile[]
      /** What reading them found. The report has it. */
      readonly diagnostics: readonly Diagnostic[]
      /** Gets the files that the audience may see. */
      readonly write: (files: readonly SourceFile[]) => Content | undefined
    }

/** A section with a fixed text. */
export function text(words: string, options: SectionOptions<"stable"> = {}): DefinedSection<"stable"> {
  return { pace: "stable", options, source: { kind: "text", text: words } }
}

/** A section made from what is known when a chat opens. Its parameter's type becomes a part of what `open` takes. */
export function perSession<Needs extends object>(
  write: (session: Needs) => SectionText,
  options: SectionOptions<"session"> = {},
): DefinedSection<"session", Needs> {
  return { pace: "session", options, source: { kind: "function", write } }
}

/** A section that may change with every message. Its parameter's type becomes a part of what `say` takes. */
export function perTurn<Needs extends object>(
  write: (turn: Needs) => SectionText,
  options: SectionOptions<"turn"> = {},
): DefinedSection<"turn", Needs> {
  return { pace: "turn", options, source: { kind: "function", write } }
}

// The inputs of a prompt as types: what `open` and `say` take, put together from what the functions of its sections
// take.
import type { Pace } from "../base/pace.ts"
import type { Trust } from "../base/trust.ts"
import type { Mode } from "../core/model/mode.ts"
import type { SectionSpec } from "../core/model/section.ts"
import type { AnyDefinedSection, DefinedSection } from "./defined-section.ts"

/** A section in the compiler's own form, for what `text`, `perSession` and `files` cannot express. */
export type HeadSpec = Omit<SectionSpec<"stable">, "id"> | Omit<SectionSpec<"session">, "id">

/** What `text`, `perSession`, `perTurn` and `files` return, or a section in the compiler's own form. */
export type PromptSection = AnyDefinedSection | HeadSpec

/** Sections by id, in the order of the prompt. */
export type PromptSections = Readonly<Record<string, PromptSection>>

/** What the functions of one pace need together. */
type Needs<Sections, P extends Pace> = {
  [Id in keyof Sections]: Sections[Id] extends DefinedSection<P, infer N> ? Taker<N> : never
}[keyof Sections] extends (needs: infer All) => void
  ? { [Name in keyof All]: All[Name] }
  : never

/** A union of functions takes what all of them take. A function without a parameter needs nothing. */
type Taker<N> = [N] extends [never] ? never : (needs: N) => void

/** What the `perSession` functions of some sections need. */
export type SessionInputs<Sections extends PromptSections> = Needs<Sections, "session">

/** What the `perTurn` functions of some sections need. */
export type TurnInputs<Sections extends PromptSections> = Needs<Sections, "turn">

/** Who the chat is with. */
export interface ChatAudience {
  /** What this person may see. Default: "public". */
  readonly trust?: Trust | undefined
  /** The kind of conversation, for files that are only for some. Default: "dm". */
  readonly situation?: string | undefined
  /** Default: "full". */
  readonly mode?: Mode | undefined
}

/** What every chat takes, in addition to the inputs of its sections. */
export interface ChatOptions extends ChatAudience {
  /** Your name for the chat. It isn't sent to the model. */
  readonly id: string
}

/** Optional if there is nothing that must be passed. */
export type InputArguments<Inputs> = object extends Inputs ? [inputs?: Inputs] : [inputs: Inputs]

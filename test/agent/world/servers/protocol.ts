// What a server has to know of a provider's protocol: where requests go, what is refused, and how an answer is
// written as a stream. Each protocol has a file of its own.
import type { Usage } from "../../../../src/render/cache/price.ts"
import type { Refuse } from "./refusals.ts"
import type { Part, ScriptedCall } from "./script.ts"

/** An answer before it is written. Every call has its id here. */
export interface Answer {
  readonly number: number
  readonly model: string
  readonly parts: readonly AnswerPart[]
  readonly usage: Usage | undefined
  readonly isCut: boolean
  /** The request, for what depends on what was asked for. */
  readonly body: Readonly<Record<string, unknown>>
}

export type AnswerPart = Exclude<Part, { call: unknown }> | { readonly call: AnsweredCall }

export type AnsweredCall = ScriptedCall & { readonly id: string }

export type Chunk = string | Uint8Array

export interface Written {
  readonly start: readonly Chunk[]
  /** The chunks of each part. */
  readonly parts: readonly (readonly Chunk[])[]
  readonly end: readonly Chunk[]
}

export interface Protocol {
  readonly path: RegExp
  /** A request without it is answered with 401. */
  readonly keyHeader?: string
  readonly contentType: string
  readonly refuse: Refuse
  readonly write: (answer: Answer) => Written
  /** The body of an error. */
  readonly problem: (status: number, message: string) => unknown
  /** What brings Incipit to a server at this address. */
  readonly env: (url: string) => Readonly<Record<string, string>>
}

/** A text in the pieces in which a model says it. */
export function pieces(text: string, size = 12): readonly string[] {
  const letters = [...text]
  return Array.from({ length: Math.ceil(letters.length / size) }, (_item, at) =>
    letters.slice(at * size, (at + 1) * size).join(""),
  )
}

/** The input of a call as a model writes it. */
export function writtenInput({ input, json = JSON.stringify(input) }: AnsweredCall): string {
  return json
}

/** As long as there is something to say it to the end, a stream has an end. */
export function endOf({ parts }: Answer, end: readonly Chunk[]): readonly Chunk[] {
  return parts.some((part) => "error" in part) ? [] : end
}

export function hasCall({ parts }: Answer): boolean {
  return parts.some((part) => "call" in part)
}

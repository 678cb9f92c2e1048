// What a server wants to know from the person while one of its tools runs. What they answer goes to that server, and
// neither into the prompt nor into the record.

/** A question of an MCP server. */
export type ServerQuestion = {
  /** The server's name in the configuration. */
  readonly server: string
  /** The server's own words. */
  readonly message: string
} & (
  | { readonly kind: "form"; readonly fields: readonly FormField[] }
  /** The person is to open a page. */
  | { readonly kind: "page"; readonly url: string }
)

/** One thing to fill in. `name` is the server's, `title` is what people see. */
export type FormField = {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly isRequired: boolean
} & (
  | {
      readonly kind: "text"
      readonly format?: TextFormat
      readonly least?: number
      readonly most?: number
      readonly default?: string
    }
  | {
      readonly kind: "number"
      readonly isWhole: boolean
      readonly least?: number
      readonly most?: number
      readonly default?: number
    }
  | { readonly kind: "yes-no"; readonly default?: boolean }
  | {
      readonly kind: "choice"
      readonly options: readonly FormOption[]
      /** Several may be chosen. */
      readonly isMany: boolean
      readonly least?: number
      readonly most?: number
      readonly default?: readonly string[]
    }
)

export const TEXT_FORMATS = ["email", "uri", "date", "date-time"] as const
export type TextFormat = (typeof TEXT_FORMATS)[number]

export interface FormOption {
  readonly value: string
  readonly title: string
}

/** A form to fill in, as a program shows it. */
export type ServerForm = Extract<ServerQuestion, { readonly kind: "form" }>

export type FormValue = string | number | boolean | readonly string[]

/** `decline`: the person said no. `cancel`: they did not answer. */
export type ServerAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, FormValue>> }
  | { readonly action: "decline" | "cancel" }

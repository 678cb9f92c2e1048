// What Markdown is read into. The texts are read further by `readInline`.

export type Align = "left" | "center" | "right" | undefined

export interface List {
  readonly kind: "list"
  /** Undefined for bullets. */
  readonly start: number | undefined
  /** Its items are apart, and each of their texts is a paragraph. */
  readonly isLoose: boolean
  readonly items: readonly (readonly ReadBlock[])[]
}

export interface Table {
  readonly kind: "table"
  readonly aligns: readonly Align[]
  /** The first are the heads of the columns. */
  readonly rows: readonly (readonly string[])[]
}

export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  /** `fence`: the marks around it, and what they say about it; undefined for code that is indented. */
  | { readonly kind: "code"; readonly text: string; readonly fence: string | undefined }
  | { readonly kind: "quote"; readonly blocks: readonly ReadBlock[] }
  | { readonly kind: "rule" }
  | List
  | Table

/** A block, and the lines that it was read from, among those of what it is in. */
export interface ReadBlock {
  readonly block: Block
  readonly from: number
  readonly to: number
}

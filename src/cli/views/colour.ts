// Styles of text in a terminal; without colours, the text as it is.
import type { Page } from "./page.ts"

export type Style =
  | "bold"
  | "dim"
  | "italic"
  | "underline"
  | "strike"
  | "red"
  | "yellow"
  | "green"
  | "blue"
  | "cyan"
  | "magenta"

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
}

export type Paint = (style: Style, text: string) => string

export function painter({ colour }: Pick<Page, "colour">): Paint {
  if (!colour) return (_style, text) => text
  return (style, text) => `\u001b[${CODES[style][0]}m${text}\u001b[${CODES[style][1]}m`
}

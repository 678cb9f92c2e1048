// What was read of a Markdown text, as markup that can be compared at a glance.
import type { Block, ReadBlock } from "../../src/markdown/block.ts"
import { markdownBlocks } from "../../src/markdown/growing.ts"
import { type Inline, readInline } from "../../src/markdown/read-inline.ts"

export function outline(text: string): string {
  return markdownBlocks(text)
    .map(({ block, source }) => (block === undefined ? `(${source})` : shown(block)))
    .join(" ")
}

/** What is written, without what marks it up. */
export function plainText(text: string): string {
  return outline(text).replaceAll(/<[^>]*>/g, " ")
}

function shown(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${inline(block.text)}</p>`
    case "heading":
      return `<h${block.level}>${inline(block.text)}</h${block.level}>`
    case "code":
      return `<pre>${block.text}</pre>`
    case "rule":
      return "<hr>"
    case "quote":
      return `<quote>${block.blocks.map((one) => shown(one.block)).join("")}</quote>`
    case "list": {
      const name = block.start === undefined ? "ul" : `ol ${block.start}`
      const text = ({ block: one }: ReadBlock) =>
        one.kind === "paragraph" && !block.isLoose ? inline(one.text) : shown(one)
      return `<${name}>${block.items.map((blocks) => `<li>${blocks.map(text).join("")}</li>`).join("")}</${name}>`
    }
    case "table": {
      const cells = (row: readonly string[]) =>
        row.map((cell, at) => `<${block.aligns[at] ?? "td"}>${inline(cell)}</>`).join("")
      return `<table>${block.rows.map((row) => `<tr>${cells(row)}</tr>`).join("")}</table>`
    }
  }
}

function inline(text: string): string {
  return readInline(text).map(inlinePart).join("")
}

function inlinePart(part: Inline): string {
  if (typeof part === "string") return part
  if (part.kind === "break") return "<br>"
  if (part.kind === "code") return `<code>${part.text}</code>`
  const name = part.kind === "link" ? `a ${part.href}` : part.kind
  return `<${name}>${part.inside.map(inlinePart).join("")}</>`
}

// Makes elements of Markdown, which models write and which may be hostile. No text becomes markup on the way: only the
// elements that are named here are made, with the attributes that are named here, and texts are set as texts.
import type { Block, List, Table } from "../../../src/markdown/block.ts"
import type { MarkdownBlock } from "../../../src/markdown/growing.ts"
import { type Inline, readInline } from "../../../src/markdown/read-inline.ts"
import { spelledCode, spelledText, withoutUnseen } from "./spelled-text.ts"

/** A block, to be put into the page. What cannot be read is shown as it is. */
export function markdownNode({ source, block }: MarkdownBlock): Node {
  if (block !== undefined) return nodeOf(block)
  const plain = element("p", [spelledText(source)])
  plain.className = "as-it-is"
  return plain
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  inside: readonly (Node | string)[] = [],
) {
  const made = document.createElement(name)
  made.append(...inside)
  if (WRITTEN.test(name)) made.dir = "auto"
  return made
}

/** Each begins in the direction of its own text. */
const WRITTEN = /^(?:p|li|blockquote|h\d|t[hd])$/

function nodeOf(block: Block): HTMLElement {
  switch (block.kind) {
    case "paragraph":
      return element("p", inlineNodes(block.text))
    case "heading":
      return element(HEADINGS[block.level - 1] ?? "h6", inlineNodes(block.text))
    case "code":
      return codeNode(block.text)
    case "quote":
      return element(
        "blockquote",
        block.blocks.map(({ block: inner }) => nodeOf(inner)),
      )
    case "list":
      return listNode(block)
    case "table":
      return scrollable(tableNode(block), "Table")
    case "rule":
      return element("hr")
  }
}

/** The page's own headings come first. */
const HEADINGS = ["h3", "h4", "h5", "h6"] as const

function listNode({ start, isLoose, items }: List): HTMLElement {
  const nodes = items.map((blocks) =>
    element(
      "li",
      blocks.flatMap(({ block }, at) => {
        const shown = at === 0 ? withTask(block) : block
        return shown.kind === "paragraph" && !isLoose ? inlineNodes(shown.text) : [nodeOf(shown)]
      }),
    ),
  )
  if (start === undefined) return element("ul", nodes)
  const list = element("ol", nodes)
  if (start !== 1) list.start = start
  return list
}

/** "[x]" at the beginning of an item is a sign. */
function withTask(block: Block): Block {
  if (block.kind !== "paragraph") return block
  const [whole = "", sign] = /^\[([ xX])\][ \t]+/.exec(block.text) ?? []
  return sign === undefined
    ? block
    : { ...block, text: `${sign === " " ? "☐" : "☑"} ${block.text.slice(whole.length)}` }
}

function tableNode({ aligns, rows }: Table): HTMLElement {
  const rowOf = (cells: readonly string[], name: "th" | "td") =>
    element(
      "tr",
      cells.map((text, at) => {
        const cell = element(name, inlineNodes(text))
        const align = aligns[at]
        if (align !== undefined) cell.setAttribute("align", align)
        return cell
      }),
    )
  const [heads = [], ...others] = rows
  const parts = [element("thead", [rowOf(heads, "th")])]
  if (others.length > 0)
    parts.push(
      element(
        "tbody",
        others.map((cells) => rowOf(cells, "td")),
      ),
    )
  return element("table", parts)
}

function inlineNodes(text: string): readonly (Node | string)[] {
  return readInline(text).map(inlineNode)
}

function inlineNode(part: Inline): Node | string {
  if (typeof part === "string") return spelledText(part)
  if (part.kind === "break") return element("br")
  if (part.kind === "code") return element("code", [spelledCode(part.text)])
  const inside = part.inside.map(inlineNode)
  if (part.kind !== "link") return element(part.kind, inside)
  return /^(?:https?:\/\/|mailto:)/i.test(part.href) ? linkNode(part.href, inside) : fragment(inside)
}

/** Where else a link leads is not followed: its text is left. */
function fragment(inside: readonly (Node | string)[]): Node {
  const nodes = document.createDocumentFragment()
  nodes.append(...inside)
  return nodes
}

/** Leads out of the page. */
function linkNode(href: string, inside: readonly (Node | string)[]): HTMLElement {
  const link = element("a", inside)
  link.href = href
  link.target = "_blank"
  link.rel = "noopener noreferrer"
  // The host as the browser asks for it: letters that only look like others are written out.
  link.title = link.href
  const named = hostNamed(link.textContent)
  if (link.hostname !== "" && named !== undefined && named !== link.hostname)
    link.append(` (${link.hostname})`)
  return link
}

/** The host that a link's text says it leads to; undefined if it says something else. */
function hostNamed(text: string): string | undefined {
  const named =
    /^(?:\w{1,20}:\/\/)?(?:[^\s/@]{0,200}@)?((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})(?=[:/?#\s]|$)/u
  return named.exec(withoutUnseen(text.slice(0, 1_000)).trim().slice(0, 500))?.[1]?.toLowerCase()
}

/** Code that can be copied. */
function codeNode(text: string): HTMLElement {
  const box = scrollable(element("pre", [element("code", [spelledCode(text)])]), "Code")
  const button = element("button", ["Copy"])
  button.type = "button"
  button.className = "plain copy"
  button.addEventListener("click", () => void copy(text.replace(/\n$/, ""), button))
  const frame = element("div", [box, button])
  frame.className = "code"
  return frame
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  button.textContent = await navigator.clipboard.writeText(text).then(
    () => "Copied",
    () => "Not allowed",
  )
}

/** A box of its own, which the keyboard can scroll. */
function scrollable(inner: HTMLElement, name: string): HTMLElement {
  const box = element("div", [inner])
  box.className = "scrolls"
  box.tabIndex = 0
  box.setAttribute("role", "group")
  box.setAttribute("aria-label", name)
  return box
}

// A text in Markdown. Each block is an element of its own, so that a growing text only changes at its end.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { grownBlocks, type MarkdownBlock, markdownBlocks } from "../../../src/markdown/growing.ts"
import { markdownNode } from "./markdown-nodes.ts"
import "./markdown.css"

export interface MarkdownTextProps {
  readonly text: string
  /** More of it is coming. */
  readonly isOpen?: boolean
}

export function MarkdownText({ text, isOpen = false }: MarkdownTextProps) {
  const before = useRef<readonly MarkdownBlock[]>([])
  const blocks = useMemo(
    () => (isOpen ? grownBlocks(before.current, text) : markdownBlocks(text)),
    [text, isOpen],
  )
  before.current = blocks
  return (
    <div class="markdown">
      {blocks.map((block) => (
        <Block key={block.start} block={block} />
      ))}
    </div>
  )
}

function Block({ block }: { readonly block: MarkdownBlock }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    element.current?.replaceChildren(markdownNode(block))
  }, [block.source, block.block === undefined])
  return <div ref={element} />
}

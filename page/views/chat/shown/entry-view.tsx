// One entry of a conversation.
import { MarkdownText } from "../../../parts/markdown/markdown-text.tsx"
import { spelledText } from "../../../parts/markdown/spelled-text.ts"
import { ScrollBox } from "../../../parts/scroll-box.tsx"
import { visibleName } from "../../../parts/visible-text.ts"
import type { Entry, LineEntry, SaidEntry, ThoughtEntry } from "../turns/entry.ts"
import { ToolView } from "./tool-view.tsx"

export function EntryView({ entry }: { readonly entry: Entry }) {
  switch (entry.kind) {
    case "said":
      return <Said entry={entry} />
    case "answer":
      return (
        <div class="answer">
          <MarkdownText text={entry.text} isOpen={entry.isOpen} />
        </div>
      )
    case "thought":
      return <Thought entry={entry} />
    case "tool":
      return <ToolView tool={entry} />
    case "line":
      return <Line entry={entry} />
  }
}

/** Characters, as of a text file: the conversation has what is in it. */
const LONG = 2_000

export function Said({ entry }: { readonly entry: SaidEntry }) {
  const { by, files } = entry
  const text = spelledText(entry.text)
  return (
    <div class="said">
      {by !== null && <p class="quiet small">{visibleName(by)}</p>}
      {text.length > LONG ? (
        <ScrollBox class="said-text said-long" label="Message">
          <div dir="auto">{text}</div>
        </ScrollBox>
      ) : (
        text !== "" && (
          <p class="said-text" dir="auto">
            {text}
          </p>
        )
      )}
      {files.length > 0 && (
        <ul class="files" aria-label="Files">
          {files.map(({ mediaType, name }, at) => (
            // Two files may have one name.
            <li key={at} class="file">
              {visibleName(name ?? mediaType)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Thought({ entry: { text, isOpen } }: { readonly entry: ThoughtEntry }) {
  return (
    <details class="fold">
      <summary class="quiet">{isOpen ? "Thinking …" : "Thought"}</summary>
      <p class="said-text quiet" dir="auto">
        {spelledText(text)}
      </p>
    </details>
  )
}

const SIGNS = { quiet: "·", loss: "▲", bad: "✕" } as const

function Line({ entry: { text, level } }: { readonly entry: LineEntry }) {
  return (
    <p class={`line small ${level}`}>
      <span aria-hidden="true">{SIGNS[level]} </span>
      {visibleName(text)}
    </p>
  )
}

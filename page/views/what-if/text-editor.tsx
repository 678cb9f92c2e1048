// A plain field for a text, with line numbers. Lines are not wrapped, so that each number is beside its line.
import { useRef } from "preact/hooks"

export interface TextEditorProps {
  readonly label: string
  readonly text: string
  /** The number of the first line. */
  readonly firstLine: number
  readonly onChange: (text: string) => void
}

export function TextEditor({ label, text, firstLine, onChange }: TextEditorProps) {
  const numbers = useRef<HTMLPreElement>(null)
  const lines = text.split("\n").length
  return (
    <div class="wi-editor">
      <pre ref={numbers} aria-hidden="true">
        {Array.from({ length: lines }, (_, at) => firstLine + at).join("\n")}
      </pre>
      <textarea
        id="wi-edited"
        aria-label={label}
        value={text}
        wrap="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        onScroll={({ currentTarget }) => {
          if (numbers.current !== null) numbers.current.scrollTop = currentTarget.scrollTop
        }}
      />
    </div>
  )
}

// Where one writes. Enter sends, Shift+Enter begins a line, Escape stops, the arrow up takes the last message again.
import { useLayoutEffect, useRef } from "preact/hooks"
import { useKeys } from "../../../shell/keys.ts"
import { draftOf, setDraft } from "../sending/drafts.ts"
import type { Edited } from "../sending/editing.ts"
import { ACCEPTED } from "./attachments.ts"
import { FileChips } from "./file-chips.tsx"
import type { Attaching } from "./use-attaching.ts"
import "./composer.css"

export interface ComposerProps {
  readonly session: string | undefined
  readonly isRunning: boolean
  /** An earlier message is being changed. */
  readonly edited: Edited | undefined
  readonly planMode: boolean
  readonly attaching: Attaching
  readonly onSend: () => void
  readonly onStop: () => void
  readonly onCancelEdit: () => void
  /** Undefined if there is no message to change. */
  readonly onEditLast: (() => void) | undefined
  readonly onPlanMode: (isOn: boolean) => void
}

export function Composer(props: ComposerProps) {
  const { session, isRunning, edited, planMode, attaching, onSend, onStop, onCancelEdit, onPlanMode } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = draftOf(session)
  const { text, files } = draft
  const isEmpty = text.trim() === "" && files.length === 0
  useGrowing(field, text)
  useComposerKeys(field, props)
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) onSend()
      }}
    >
      {edited !== undefined && (
        <p class="small quiet chat-row">
          {edited.turn === undefined
            ? "You change an earlier message."
            : "Sending this begins a branch. The conversation as it is stays in the list."}
          <button type="button" class="plain" onClick={onCancelEdit}>
            Cancel
          </button>
        </p>
      )}
      <FileChips attaching={attaching} session={session} />
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label="Message"
        placeholder="Message"
        enterkeyhint="send"
        value={text}
        onInput={(event) => setDraft(session, { text: event.currentTarget.value })}
        onKeyDown={(event) => onFieldKey(event, props, isEmpty)}
        onPaste={(event) => {
          const pasted = [...(event.clipboardData?.files ?? [])]
          if (pasted.length === 0) return
          event.preventDefault()
          attaching.add(pasted)
        }}
      />
      <div class="chat-row">
        <AttachButton attaching={attaching} />
        <button type="button" class="plain" aria-pressed={planMode} onClick={() => onPlanMode(!planMode)}>
          {planMode ? "☑" : "☐"} Plan first
        </button>
        <span class="chat-row composer-end">
          {isRunning && (
            <button type="button" onClick={onStop}>
              Stop
            </button>
          )}
          <button type="submit" class="main" disabled={isEmpty}>
            Send
          </button>
        </span>
      </div>
    </form>
  )
}

function AttachButton({ attaching }: { readonly attaching: Attaching }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class="plain" onClick={() => picker.current?.click()}>
        Attach
      </button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label="Files to attach"
        onChange={(event) => {
          attaching.add([...(event.currentTarget.files ?? [])])
          // The same file can be chosen again after it was removed.
          event.currentTarget.value = ""
        }}
      />
    </>
  )
}

function onFieldKey(event: KeyboardEvent, props: ComposerProps, isEmpty: boolean): void {
  // Enter also ends the choice of a character.
  if (event.isComposing) return
  if (event.key === "Enter" && !event.shiftKey) {
    if (!isEmpty) props.onSend()
  } else if (event.key === "Escape") {
    if (props.edited !== undefined) props.onCancelEdit()
    else props.onStop()
  } else if (event.key === "ArrowUp" && isEmpty && props.onEditLast !== undefined) props.onEditLast()
  else return
  event.preventDefault()
}

function useComposerKeys(
  field: { readonly current: HTMLTextAreaElement | null },
  { onStop, edited, onCancelEdit }: ComposerProps,
): void {
  useKeys([
    { key: "w", does: "write a message", run: () => field.current?.focus() },
    { key: "Enter", does: "in a message: send it" },
    { key: "Shift Enter", does: "in a message: begin a new line" },
    { key: "↑", does: "in an empty message: change the last one" },
    { key: "Escape", does: "stop the answer", run: () => (edited === undefined ? onStop() : onCancelEdit()) },
  ])
}

const MOST_HEIGHT = 240

/** As high as its text, up to a limit. */
function useGrowing(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const { current } = field
    if (current === null) return
    current.style.height = "auto"
    current.style.height = `${Math.min(current.scrollHeight + 2, MOST_HEIGHT)}px`
  }, [text])
}

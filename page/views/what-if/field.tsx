// One setting with its label, and a button that takes the change back. The button keeps its room, so nothing jumps.
import type { ComponentChildren } from "preact"

export interface FieldProps {
  /** The id of its control. */
  readonly for: string
  readonly label: string
  readonly isChanged: boolean
  readonly onReset: () => void
  readonly isWide?: boolean
  readonly note?: string | undefined
  readonly children: ComponentChildren
}

export function Field({ for: id, label, isChanged, onReset, isWide = false, note, children }: FieldProps) {
  return (
    <div class={`wi-field${isChanged ? " wi-field-changed" : ""}${isWide ? " wi-field-wide" : ""}`}>
      <div class="wi-field-top">
        <label for={id}>{label}</label>
        <button
          type="button"
          class={isChanged ? "plain small wi-reset" : "plain small wi-reset wi-unseen"}
          aria-label={`Reset ${label.toLowerCase()}`}
          onClick={() => {
            onReset()
            // The button is gone now; the control is where to go on.
            document.getElementById(id)?.focus()
          }}
        >
          Reset
        </button>
      </div>
      {children}
      {note !== undefined && <p class="small quiet">{note}</p>}
    </div>
  )
}

// What a view says when it has nothing to show, is loading, or failed: what it is, and what to do.
import type { ComponentChildren } from "preact"
import { currentSource } from "../data/calls.ts"
import { visibleName } from "./visible-text.ts"

/** Nothing is there yet. The children say what to do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="notice">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A folder as it is now, or a saved report, has prompts but no calls. */
export function NotSent() {
  return (
    <Empty title="Nothing was sent yet">
      <p>
        {currentSource() === "report"
          ? "A report has no calls. Start incipit inspect in its folder."
          : "This prompt was compiled, not sent. Talk to its agent with incipit run, then start incipit inspect again."}
      </p>
    </Empty>
  )
}

/** Something failed; it can be tried again. */
export function Problem({
  text,
  onRetry,
  children,
}: {
  readonly text: string
  readonly onRetry?: () => void
  readonly children?: ComponentChildren
}) {
  return (
    <div class="notice notice-problem" role="alert">
      <h2>That didn't work</h2>
      <p>{visibleName(text)}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
      {children}
    </div>
  )
}

/** Takes the room that the view will take. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what} …
    </p>
  )
}

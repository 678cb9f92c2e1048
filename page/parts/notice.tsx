// What a view says when it has nothing to show, is loading, or failed: what it is, and what to do.
import type { ComponentChildren } from "preact"
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

/** Something failed; it can be tried again. */
export function Problem({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }) {
  return (
    <div class="notice notice-problem" role="alert">
      <h2>That did not work</h2>
      <p>{visibleName(text)}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
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

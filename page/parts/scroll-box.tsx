// An element that scrolls by itself, which the keyboard reaches so that it can be scrolled without a mouse.
import type { ComponentChildren, RefObject } from "preact"

export interface ScrollBoxProps {
  /** What is in it, for screen readers. */
  readonly label: string
  readonly class: string
  readonly element?: RefObject<HTMLDivElement | null>
  readonly children: ComponentChildren
}

export function ScrollBox({ label, class: name, element, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
    <div ref={element ?? null} class={name} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}

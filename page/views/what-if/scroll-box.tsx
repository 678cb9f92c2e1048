// A box of text that may scroll on its own. It takes the focus, so that arrow keys can scroll it.
import type { ComponentChildren } from "preact"

export interface ScrollBoxProps {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
}

export function ScrollBox({ label, class: name, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, its text could not be read by keyboard.
    <section class={name} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}

// A dialog above the page: the browser's own, so that focus stays inside, Escape closes it, and focus returns.
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly class?: string
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, class: name = "", children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before it is painted: what is typed after the key that opens it goes into its field.
  useLayoutEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-label={title}
      onClose={onClose}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
    >
      {children}
    </dialog>
  )
}

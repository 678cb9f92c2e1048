// Files that are dropped anywhere on the conversation.
import type { RefObject } from "preact"
import { useEffect, useRef } from "preact/hooks"

export function useDropping(
  target: RefObject<HTMLElement | null>,
  onFiles: (files: readonly File[]) => void,
): void {
  const newest = useRef(onFiles)
  newest.current = onFiles
  useEffect(() => {
    const element = target.current
    if (element === null) return undefined
    const onOver = (event: DragEvent) => event.preventDefault()
    const onDrop = (event: DragEvent) => {
      event.preventDefault()
      newest.current([...(event.dataTransfer?.files ?? [])])
    }
    element.addEventListener("dragover", onOver)
    element.addEventListener("drop", onDrop)
    return () => {
      element.removeEventListener("dragover", onOver)
      element.removeEventListener("drop", onDrop)
    }
  }, [])
}

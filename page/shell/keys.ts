// Keys that work everywhere. Views add their own while they are shown; what is typed into a field is never a command.
import { useLayoutEffect, useRef } from "preact/hooks"
import { openViews } from "./current-view.ts"
import { isHelpOpen } from "./key-help.tsx"
import { go } from "./place.ts"
import { isSearchOpen } from "./search.tsx"

export interface KeyBinding {
  /** `KeyboardEvent.key`, such as "j" or "ArrowLeft". */
  readonly key: string
  /** What it does, for the list of keys. */
  readonly does: string
  /** Absent for keys that a field handles itself: they are only listed. */
  readonly run?: () => void
  /** For what cannot be taken back: a key that is held down presses it once. */
  readonly isOnce?: boolean
}

const viewKeys = new Set<readonly KeyBinding[]>()

/** Of the views that are shown. */
export function boundKeys(): readonly KeyBinding[] {
  return [...viewKeys].flat()
}

/** Binds keys while the component is shown: before it is painted, so that no press is lost. The newest functions are used. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const newest = useRef(bindings)
  newest.current = bindings
  useLayoutEffect(() => {
    const own = newest.current.map(({ key, does, run, isOnce = false }, at) => ({
      ...{ key, does, isOnce },
      ...(run && { run: () => newest.current[at]?.run?.() }),
    }))
    viewKeys.add(own)
    return () => void viewKeys.delete(own)
  }, [])
}

export function followKeys(): () => void {
  let isAfterG = false
  const onKey = (event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
      event.preventDefault()
      isSearchOpen.value = !isSearchOpen.value
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    // What is open above the view has the keys, such as Escape.
    if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return
    if (event.key === " " && isPressable(event.target)) return
    const view = isAfterG ? openViews.value.find(({ key }) => key === event.key) : undefined
    isAfterG = event.key === "g" && !isAfterG
    if (view !== undefined) go({ view: view.name })
    else if (event.key === "?") isHelpOpen.value = true
    else if (event.key === "/") isSearchOpen.value = true
    else if (!runBound(event)) return
    event.preventDefault()
  }
  document.addEventListener("keydown", onKey)
  return () => document.removeEventListener("keydown", onKey)
}

function runBound({ key, repeat }: KeyboardEvent): boolean {
  const found = boundKeys().findLast((binding) => binding.key === key && binding.run !== undefined)
  if (found?.isOnce !== true || !repeat) found?.run?.()
  return found !== undefined
}

/** The space bar presses these. */
function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("button, summary, a, [role='option']") !== null
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  // A list or a slider uses the arrow keys itself.
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

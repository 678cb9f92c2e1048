// Where the reader is: the view, the session, the call, and whatever else a link to this place needs. It is the query of
// the address, so that a link shows another operator the same thing, and "back" goes back.
import { computed, signal } from "@preact/signals"

export const VIEWS = ["chat", "prompt", "what-if", "cache", "cost", "diff"] as const
export type ViewName = (typeof VIEWS)[number]

/** Names are the views' own, such as `session`, `call` or `section`; all values are text. */
export type Place = Readonly<Record<string, string>>

/** A value of null removes the name. */
export type PlaceChange = Readonly<Record<string, string | null | undefined>>

const query = signal(location.search)

export const place = computed((): Place => Object.fromEntries(new URLSearchParams(query.value)))

/** The view of the address; undefined if it names none. */
export const namedView = computed((): ViewName | undefined => VIEWS.find((name) => name === place.value.view))

/** The address of a place that differs from this one. */
export function linkTo(change: PlaceChange): string {
  const next = new URLSearchParams(place.value)
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === undefined || value === "") next.delete(name)
    else next.set(name, value)
  }
  next.sort()
  return `/?${next}`
}

/** Goes there. `replace` for what "back" should not stop at, such as a slider that moves. */
export function go(change: PlaceChange, { replace = false }: { readonly replace?: boolean } = {}): void {
  const target = linkTo(change)
  if (target === `/${query.value}`) return
  if (replace) history.replaceState(null, "", target)
  else history.pushState(null, "", target)
  query.value = location.search
}

/** Follows links within the page without loading it again, and the browser's own buttons. */
export function followLinks(): () => void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (link === null || !isPlain || link.target !== "" || link.origin !== location.origin) return
    if (link.pathname !== "/" || event.defaultPrevented) return
    event.preventDefault()
    history.pushState(null, "", link.href)
    query.value = location.search
  }
  const onBack = () => {
    query.value = location.search
  }
  document.addEventListener("click", onClick)
  addEventListener("popstate", onBack)
  return () => {
    document.removeEventListener("click", onClick)
    removeEventListener("popstate", onBack)
  }
}

// Which view is shown: the one in the address, or the first that this caller has.
import { computed } from "@preact/signals"
import { info } from "../data/info.ts"
import { VIEW_TABLE, type View } from "../views/views.ts"
import { namedView } from "./place.ts"

export const openViews = computed((): readonly View[] => {
  const known = info.value
  return known === undefined ? [] : VIEW_TABLE.filter(({ isOpen }) => isOpen(known))
})

/** Undefined if the address names a view that this caller does not have. */
export const currentView = computed((): View | undefined => {
  const named = namedView.value
  const [first] = openViews.value
  return named === undefined ? first : openViews.value.find(({ name }) => name === named)
})

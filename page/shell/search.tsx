// Search over everything that the page can lead to: views, and what the current view has put here, such as sessions,
// sections, files and calls.
import { signal } from "@preact/signals"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { Dialog } from "../parts/dialog.tsx"
import { openViews } from "./current-view.ts"
import { go, type PlaceChange } from "./place.ts"

export interface Target {
  /** What kind of thing it is: "section", "session". */
  readonly kind: string
  readonly title: string
  /** More words that find it. */
  readonly words?: string
  readonly to: PlaceChange
}

export const isSearchOpen = signal(false)

const offered = new Set<{ readonly targets: readonly Target[] }>()

/** Offers targets while the component is shown. */
export function useTargets(targets: readonly Target[]): void {
  const own = useRef({ targets })
  own.current.targets = targets
  useLayoutEffect(() => {
    const given = own.current
    offered.add(given)
    return () => void offered.delete(given)
  }, [])
}

const MOST = 50

export function Search() {
  return isSearchOpen.value ? <SearchDialog /> : null
}

function SearchDialog() {
  const [words, setWords] = useState("")
  const [chosen, setChosen] = useState(0)
  const found = findTargets(words)
  const close = () => {
    isSearchOpen.value = false
  }
  const take = (target: Target | undefined) => {
    if (target === undefined) return
    close()
    go(target.to)
  }
  const onKey = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined)
      setChosen((before) => Math.min(Math.max(before + move, 0), Math.max(found.length - 1, 0)))
    else if (event.key === "Enter") take(found[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Search" class="search" onClose={close}>
      <input
        type="text"
        aria-label="Search for a view, a session, a section or a file"
        placeholder="View, session, section, file"
        value={words}
        role="combobox"
        aria-expanded="true"
        aria-controls="search-found"
        aria-activedescendant={found[chosen] && `search-${chosen}`}
        onInput={(event) => {
          setWords(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKey}
      />
      <div id="search-found" role="listbox" aria-label="Found" tabIndex={-1}>
        {found.map((target, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys of the list.
          <div
            key={`${target.kind} ${target.title} ${at}`}
            id={`search-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === chosen}
            onClick={() => take(target)}
          >
            <span class="cut">{target.title}</span>
            <span class="quiet small">{target.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="quiet">Nothing here has these words.</p>}
    </Dialog>
  )
}

/** Those that have all words, titles that begin with them first. */
function findTargets(text: string): readonly Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const views = openViews.value.map(
    ({ name, title }): Target => ({
      kind: "view",
      title,
      to: { view: name },
    }),
  )
  const all = [...views, ...[...offered].flatMap(({ targets }) => targets)]
  const fits = all.filter(({ title, words: more = "", kind }) => {
    const hay = `${title} ${more} ${kind}`.toLowerCase()
    return words.every((word) => hay.includes(word))
  })
  const starts = ({ title }: Target) => (title.toLowerCase().startsWith(words.join(" ")) ? 0 : 1)
  return fits.toSorted((a, b) => starts(a) - starts(b)).slice(0, MOST)
}

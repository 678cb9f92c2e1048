// The bar at the top: where one is, the views, search, theme, sign-out. On a phone, the views move to the bottom.
import { info } from "../data/info.ts"
import { visibleName } from "../parts/visible-text.ts"
import { currentView, openViews } from "./current-view.ts"
import { isHelpOpen } from "./key-help.tsx"
import { linkTo } from "./place.ts"
import { isSearchOpen } from "./search.tsx"
import { nextTheme, theme } from "./theme.ts"
import { WaitingApprovals } from "./waiting-approvals.tsx"

export function TopBar() {
  const title = visibleName(info.value?.title ?? "")
  return (
    <header class="bar">
      <a class="bar-home" href={linkTo({})} aria-label={`Incipit, ${title}`}>
        <Mark />
        <span class="bar-title cut">{title}</span>
      </a>
      <ViewLinks />
      <div class="bar-end">
        <WaitingApprovals />
        <button type="button" class="plain bar-search" onClick={() => (isSearchOpen.value = true)}>
          <span>Search </span>
          <kbd>{SEARCH_KEYS}</kbd>
        </button>
        <button type="button" class="plain" onClick={() => (isHelpOpen.value = true)} aria-label="Keys">
          <kbd>?</kbd>
        </button>
        <button
          type="button"
          class="plain"
          onClick={nextTheme}
          aria-label={`Colours: ${theme.value}. Change`}
          title={`Colours: ${theme.value}`}
        >
          {THEME_SIGNS[theme.value]}
        </button>
        {/* What was not sent is for nobody who signs in here next. */}
        <form method="post" action="/logout" onSubmit={() => sessionStorage.clear()}>
          <button type="submit" class="plain">
            Sign out
          </button>
        </form>
      </div>
    </header>
  )
}

const THEME_SIGNS = { system: "◐", light: "○", dark: "●" } as const
const SEARCH_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"

function ViewLinks() {
  return (
    <nav class="views" aria-label="Views">
      {openViews.value.map(({ name, title }) => (
        <a
          key={name}
          href={linkTo({ view: name })}
          aria-current={currentView.value?.name === name ? "page" : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

function Mark() {
  return (
    <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
      <rect x="1" y="2" width="14" height="12" rx="2" fill="none" stroke="currentColor" stroke-width="1.5" />
      <rect x="1" y="2" width="6" height="12" rx="2" fill="currentColor" />
    </svg>
  )
}

// Dark or light: as the system says, until the reader chooses. The choice stays in this browser.
import { effect, signal } from "@preact/signals"

export const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

const KEY = "incipit-theme"

export const theme = signal<Theme>(THEMES.find((name) => name === stored()) ?? "system")

/** A browser may refuse storage altogether. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function startTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value
    try {
      localStorage.setItem(KEY, theme.value)
    } catch {
      // The choice then lasts for this visit.
    }
  })
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system"
}

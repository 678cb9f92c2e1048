// The list of keys: those that work everywhere, and those of the current view.
import { signal } from "@preact/signals"
import { Dialog } from "../parts/dialog.tsx"
import { openViews } from "./current-view.ts"
import { boundKeys } from "./keys.ts"

export const isHelpOpen = signal(false)

const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
}

export function KeyHelp() {
  if (!isHelpOpen.value) return null
  const rows: readonly (readonly [string, string])[] = [
    ["Ctrl K or /", "search"],
    ...openViews.value.map(({ key, title }) => [`g ${key}`, title] as const),
    ...boundKeys().map(({ key, does }) => [NAMES[key] ?? key, does] as const),
    ["Esc", "close what is open"],
  ]
  return (
    <Dialog title="Keys" onClose={() => (isHelpOpen.value = false)}>
      <form method="dialog" class="keys-head">
        <h2>Keys</h2>
        <button type="submit">Close</button>
      </form>
      <dl class="keys">
        {rows.map(([key, does]) => (
          <div key={`${key} ${does}`}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

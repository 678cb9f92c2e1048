// Chooses where calls are looked up, if there is more than one place.
import { currentSource } from "../data/calls.ts"
import { info } from "../data/info.ts"
import { go } from "../shell/place.ts"
import { visibleName } from "./visible-text.ts"

export function SourceSelect() {
  const sources = info.value?.sources ?? []
  if (sources.length < 2) return null
  return (
    <select
      aria-label="Calls of"
      value={currentSource() ?? ""}
      onChange={(event) =>
        go({ source: event.currentTarget.value, session: null, call: null, only: null, owner: null })
      }
    >
      {sources.map(({ id, title }) => (
        <option key={id} value={id}>
          {visibleName(title)}
        </option>
      ))}
    </select>
  )
}

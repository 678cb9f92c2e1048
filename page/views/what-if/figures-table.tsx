// The real prompt and the changed one in figures, and what the provider's cache would do with the change.
import { change, count, money, moneyChange } from "../../parts/figures.ts"
import type { Compared, PromptFigures } from "./worker/protocol.ts"

interface Line {
  readonly name: string
  readonly of: (figures: PromptFigures) => string
  readonly difference: (real: PromptFigures, changed: PromptFigures) => string
}

const LINES: readonly Line[] = [
  {
    name: "Bytes",
    of: ({ bytes }) => count(bytes),
    difference: (real, changed) => change(changed.bytes - real.bytes),
  },
  {
    name: "Input tokens",
    of: ({ tokens, isExact }) => `${isExact ? "" : "≈ "}${count(tokens)}`,
    difference: (real, changed) => change(changed.tokens - real.tokens),
  },
  {
    name: "First call",
    of: ({ firstUsd }) => money(firstUsd),
    difference: (real, changed) => priceChange(real.firstUsd, changed.firstUsd),
  },
  {
    name: "Each later call",
    of: ({ laterUsd }) => money(laterUsd),
    difference: (real, changed) => priceChange(real.laterUsd, changed.laterUsd),
  },
]

function priceChange(before: number | null, after: number | null): string {
  if (before === null || after === null) return "–"
  return moneyChange(after - before)
}

export function FiguresTable({ compared: { real, changed } }: { readonly compared: Compared }) {
  return (
    <table class="wi-figures">
      <caption class="spoken">The real prompt and the changed one</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">Real</th>
          <th scope="col">Changed</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {LINES.map(({ name, of, difference }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="figure">{of(real)}</td>
            <td class="figure">{of(changed)}</td>
            <td class="figure wi-difference">{difference(real, changed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Right after the real prompt was sent: what is shared is read, the rest is paid for again. */
export function CacheText({ compared: { cache, real, changed } }: { readonly compared: Compared }) {
  if (cache === undefined)
    return (
      <p class="small quiet">
        Without a cache rule for the model and a compile in this browser, no cache is simulated.
      </p>
    )
  const { read, written, uncached, usd } = cache
  return (
    <p>
      {real.model === changed.model
        ? "Sent right after the real prompt, the changed one would have "
        : "Another model shares no cache: "}
      <strong>{count(read)}</strong> tokens read from the cache, <strong>{count(written)}</strong> written and{" "}
      <strong>{count(uncached)}</strong> uncached: {money(usd)}.{" "}
      <span class="quiet">Simulated, input only.</span>
    </p>
  )
}

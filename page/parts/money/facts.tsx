// The few figures that stand for everything below them.
import "./money.css"

/** Each by its name, in the order of their weight. */
export type Fact = readonly [name: string, value: string]

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="money-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

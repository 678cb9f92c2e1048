// The bar of blocks: a call as the provider reads it, in proportion. How often a block changes is the lightness of one
// blue, what the cache did with it is the fill: solid was read, hatched was written, an outline is neither.
import type { ShownPart } from "../../src/serve/page/shown.ts"
import { isCompiled } from "../data/calls.ts"
import "./block-bar.css"
import { type BarBlock, type BarPlace, blocksOf, placeAfter } from "./blocks.ts"
import { count, money, shortCount } from "./figures.ts"

export interface BlockBarProps {
  readonly parts: readonly ShownPart[]
  /** Where there are several bars, each has a name. */
  readonly label?: string
  /** The key of the chosen block. */
  readonly chosen?: string | undefined
  /** Without it the blocks cannot be chosen. */
  readonly onChoose?: (key: string) => void
}

/** So that a block of a few tokens is seen, and can be chosen. */
const LEAST_PX = 8

export function BlockBar({ parts, label = "Blocks of the prompt", chosen, onChoose }: BlockBarProps) {
  const blocks = blocksOf(parts)
  let before = 0
  return (
    <section class="block-bar" aria-label={label}>
      <div class="block-bar-blocks">
        {blocks.map((block) => {
          const from = placeAfter(blocks, before)
          before += block.tokens
          const to = placeAfter(blocks, before)
          return (
            <Block
              key={block.key}
              {...{ block, onChoose }}
              isChosen={block.key === chosen}
              style={boxOf(blocks.length, from, to)}
            />
          )
        })}
      </div>
      <Brackets blocks={blocks} />
    </section>
  )
}

type Box = { readonly left: string; readonly width: string }

function boxOf(blocks: number, from: BarPlace, to: BarPlace): Box {
  const at = (place: BarPlace) => ({
    percent: place.share * 100,
    px: LEAST_PX * (place.blocks - place.share * blocks),
  })
  const [start, end] = [at(from), at(to)]
  return {
    left: `calc(${start.percent}% + ${start.px}px)`,
    width: `calc(${end.percent - start.percent}% + ${end.px - start.px}px)`,
  }
}

interface BlockProps {
  readonly block: BarBlock
  readonly isChosen: boolean
  readonly style: Box
  readonly onChoose: ((key: string) => void) | undefined
}

function Block({ block, isChosen, style, onChoose }: BlockProps) {
  const { key, label, pace, tokens, cache } = block
  const words = blockInWords(block)
  const facts = {
    class: "block",
    "data-pace": pace ?? "none",
    "data-plain": cache !== null && cache.read === tokens ? "yes" : "no",
    style,
    title: words,
  }
  const inside = (
    <>
      <Fill block={block} />
      <span class="block-label" aria-hidden="true">
        <span class="block-name">{label}</span> <span class="block-tokens">{shortCount(tokens)}</span>
      </span>
      <span class="spoken">{words}</span>
    </>
  )
  if (onChoose === undefined) return <div {...facts}>{inside}</div>
  return (
    <button {...facts} type="button" aria-pressed={isChosen} onClick={() => onChoose(key)}>
      {inside}
    </button>
  )
}

function Fill({ block: { cache, tokens } }: { readonly block: BarBlock }) {
  const cells =
    cache === null
      ? ([["unknown", tokens]] as const)
      : ([
          ["read", cache.read],
          ["written", cache.written],
          ["uncached", cache.uncached],
        ] as const)
  return (
    <span class="block-fill" aria-hidden="true">
      {cells.map(([name, size]) => (
        <span key={name} data-cache={name} style={{ flexGrow: tokens === 0 ? 0 : size / tokens }} />
      ))}
    </span>
  )
}

/** The block in a sentence, for its title and for screen readers. */
function blockInWords({ label, tokens, cache, costUsd }: BarBlock): string {
  const facts =
    cache === null
      ? ["cache unknown"]
      : CACHE_WORDS.flatMap(([name, words]) => (cache[name] > 0 ? [`${count(cache[name])} ${words}`] : []))
  const price = costUsd === null ? [] : [money(costUsd)]
  return [`${label}: ${count(tokens)} tokens`, ...facts, ...price].join(", ")
}

const CACHE_WORDS = [
  ["read", "read from the cache"],
  ["written", "written to the cache"],
  ["uncached", "uncached"],
] as const

/** Below the bar: what was read, and what is new. The provider reads a prefix, so each is one stretch. */
function Brackets({ blocks }: { readonly blocks: readonly BarBlock[] }) {
  if (blocks.length === 0 || blocks.some(({ cache }) => cache === null))
    return (
      <p class="block-bar-unknown small quiet">
        {isCompiled()
          ? "Not sent yet, so nothing is cached."
          : "What the cache did with this call isn't known."}
      </p>
    )
  let before = 0
  const stretches = CACHE_WORDS.flatMap(([name, words]) => {
    const tokens = blocks.reduce((sum, { cache }) => sum + (cache?.[name] ?? 0), 0)
    const from = placeAfter(blocks, before)
    before += tokens
    return tokens === 0 ? [] : [{ name, words, tokens, from, to: placeAfter(blocks, before) }]
  })
  return (
    <div class="block-bar-brackets">
      {stretches.map(({ name, from, to }) => (
        <span key={name} class="block-bar-bracket" style={boxOf(blocks.length, from, to)} />
      ))}
      <ul class="small">
        {stretches.map(({ name, words, tokens, from, to }) => (
          <li key={name} style={{ flexGrow: to.share - from.share }}>
            {words} <span class="quiet">{count(tokens)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

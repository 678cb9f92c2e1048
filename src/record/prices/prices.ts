// What a model costs: our own dated rows first, then the table of @pydantic/genai-prices in the same shape. This file
// picks the row; `costOf` computes what a call costs. The library takes some 30 ms to load, so import this file where a
import {
  calcPrice,
  findProvider,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
  type Provider,
  type TieredPrices,
} from "@pydantic/genai-prices"
// price is first needed: `const { priceFor } = await import("./prices.ts")`.
import { oncePerObject } from "../../base/memo/once.ts"
import { LOCAL_SERVERS, namesPattern, ruleFor } from "../../render/cache/cache-rules.ts"
import type { Price, Rates } from "../../render/cache/price.ts"
import { isOffline, offlinePrice } from "./offline-calls.ts"
import { PRICE_OVERRIDES, type PriceOverride } from "./price-overrides.ts"

/** The moment of a price, and your own prices. */
export interface PriceOptions {
  /** Milliseconds since 1970: the price at that moment. Default: now. */
  readonly at?: number
  /** Tried before our own rows; the first row for a model counts. */
  readonly overrides?: readonly PriceOverride[]
}

/** A model as offered by a provider. */
interface Offer {
  /** In lower case, as requested. */
  readonly id: string
  readonly seller: string
  readonly name: string
}

/** What the library has for an offer. */
interface Listing {
  /** Whether the row names exactly this model, as opposed to one with the same prefix. */
  readonly isSame: boolean
  readonly price: Price | null
}

const LIBRARY = { source: "npmjs.com/package/@pydantic/genai-prices/v/0.1.8", date: "2026-09-23" } as const

/** Other names of providers in the library. Its own search matches parts of names: `openai` in `openai-compatible`. */
const SELLERS: ReadonlyMap<string, string> = new Map([
  ["amazon-bedrock", "aws"],
  ["bedrock", "aws"],
  ["bedrock_converse", "aws"],
  ["azure-openai", "azure"],
  ["azure_ai", "azure"],
  ["copilot", "github-copilot"],
  ["fireworks-ai", "fireworks"],
  ["fireworks_ai", "fireworks"],
  ["gemini", "google"],
  ["google-vertex", "google"],
  ["vertex", "google"],
  ["vertex_ai", "google"],
  ["mistralai", "mistral"],
  ["moonshot", "moonshotai"],
  ["together-ai", "together"],
  ["together_ai", "together"],
  ["togetherai", "together"],
  ["xai", "x-ai"],
  ["z-ai", "zai"],
])

/** Ollama also forwards calls to its own servers, for models whose tag says so. */
const OWN_MACHINE = new RegExp(`^(?:${namesPattern(LOCAL_SERVERS)})/(?!.*[:-]cloud$)`)
const OWN = { estimated: false, source: "runs on your own machine", date: "" } as const
const FREE = { input: 0, output: 0, read: 0 } as const

// The library's keys. Other prices, by call, hour or page, have no place in a row of rates.
const TEXT = /^(?:input|output|cache_read|cache_write|cache_write_1h)_mtok$/
/** Not used by a text prompt: other media in the input, and the provider's own tools. */
const ASIDE = /^(?:input|cache)_(?:audio|image|video)_.*mtok$|_searches_kcount$|^code_executions_kcount$/
/** Output at another price, whose amount a usage does not report. */
const OTHER_OUTPUT = /^output_.+_mtok$/

/**
 * The price of a model; `null` if none is known. It is `estimated` if it is that of another id, or if the model bills
 * part of its output at a rate that a row cannot hold.
 */
export function priceFor(model: string, options: PriceOptions = {}): Price | null {
  const { at = Date.now(), overrides = [] } = options
  const rows = [...overrides, ...PRICE_OVERRIDES].filter(({ from }) => !from || Date.parse(from) <= at)
  const asked = offerOf(model)
  const row = rowOf(rows, asked)
  if (row !== undefined) return priceOfRow(row, false)
  if (isOffline(model)) return offlinePrice(model, "")
  if (OWN_MACHINE.test(asked.id)) return { model: asked.id, ...FREE, ...OWN }
  // An unlisted provider may charge any price, or none.
  if (providerOf(asked) === undefined) return null
  const listing = listingOf(asked, at)
  if (listing?.isSame) return listing.price
  const made = makersOffer(asked)
  const kin = rowOf(rows, made) ?? rowOf(rows, { ...made, name: undated(made.name) })
  if (kin !== undefined) return priceOfRow(kin, true)
  const price = (listing ?? listingOf(made, at))?.price ?? null
  return price && { ...price, estimated: true }
}

function offerOf(model: string): Offer {
  const id = model.trim().toLowerCase()
  const slash = id.indexOf("/")
  if (slash < 0) return { id, seller: findProvider({ modelId: id })?.id ?? "", name: id }
  const seller = id.slice(0, slash)
  return { id, seller: SELLERS.get(seller) ?? seller, name: id.slice(slash + 1) }
}

function rowOf(rows: readonly PriceOverride[], { seller, name }: Offer): PriceOverride | undefined {
  return rows.find((row) => offersOf(row).some((offer) => offer.seller === seller && offer.name === name))
}

/** A price is looked up with every call, and the rows do not change. */
const offersOf = oncePerObject(({ model, aliases = [] }: PriceOverride): readonly Offer[] =>
  [model, ...aliases].map(offerOf),
)

function priceOfRow({ aliases, from, ...row }: PriceOverride, estimated: boolean): Price {
  return { ...row, estimated }
}

function providerOf({ seller }: Offer): Provider | undefined {
  const provider = findProvider({ providerId: seller })
  return provider?.id === seller ? provider : undefined
}

function listingOf(offer: Offer, at: number): Listing | undefined {
  const provider = providerOf(offer)
  if (provider === undefined) return undefined
  const own = provider.models.find(({ id }) => id.toLowerCase() === offer.name)
  const found = calcPrice({}, offer.name, {
    // The library's patterns do not match every row by its own id.
    provider: own ? { ...provider, models: [{ ...own, match: { equals: offer.name } }] } : provider,
    timestamp: new Date(at),
  })
  if (found === null) return undefined
  return {
    isSame: own !== undefined || isNamed(found.model, offer.name, provider),
    price: priceOfModel(found.model, found.model_price, offer),
  }
}

/** A dated snapshot is the same model as the undated id if the library gives both the same row. */
function isNamed({ id, match }: ModelInfo, name: string, provider: Provider): boolean {
  // The library also searches the rows of other providers.
  if (!provider.models.some((model) => model.id === id)) return false
  const names = [id, ...equalsOf(match)].map((listed) => withoutRegion(listed.toLowerCase()))
  const wanted = withoutRegion(name)
  return names.includes(wanted) || names.includes(undated(wanted))
}

function equalsOf(match: MatchLogic): readonly string[] {
  if ("equals" in match) return [match.equals]
  return "or" in match ? match.or.flatMap(equalsOf) : []
}

/** The same model from its maker. */
function makersOffer({ name }: Offer): Offer {
  return offerOf(withoutRegion(name).replace(/^[a-z]+\.(?=[a-z])/, ""))
}

/** Turns Bedrock's `us.anthropic.claude-opus-5-v1:0` into `anthropic.claude-opus-5`; leaves others unchanged. */
function withoutRegion(name: string): string {
  return name.replace(/^(?:[a-z-]+\.)?([a-z]+\..+?)(?:-v\d+(?::\d+)?)?$/, "$1")
}

function undated(name: string): string {
  return name.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/, "")
}

function priceOfModel(model: ModelInfo, prices: ModelPrice, { id }: Offer): Price | null {
  const keys = Object.keys(prices).filter((key) => !ASIDE.test(key))
  const isFree = keys.length === 0 && model.id.endsWith(":free")
  if (isFree) return { model: model.id, ...FREE, estimated: false, ...LIBRARY }
  const { input_mtok: input, output_mtok: output, cache_read_mtok: read } = prices
  if (input === undefined || output === undefined) return null
  if (keys.some((key) => !TEXT.test(key) && !OTHER_OUTPUT.test(key))) return null
  const writes = writeKeysOf(id).flatMap(([ttl, key]) => {
    const price = prices[key]
    return price === undefined ? [] : [{ ttl, price }]
  })
  const ratesAbove = (above: number): Rates => ({
    input: rateAbove(above, input),
    output: rateAbove(above, output),
    ...(read !== undefined && { read: rateAbove(above, read) }),
    ...(writes.length > 0 && {
      write: Object.fromEntries(writes.map(({ ttl, price }) => [ttl, rateAbove(above, price)])),
    }),
  })
  const longer = tierStarts(prices).map((above) => ({ above, ...ratesAbove(above) }))
  return {
    model: model.id,
    ...ratesAbove(-1),
    ...(longer.length > 0 && { longer }),
    estimated: keys.some((key) => OTHER_OUTPUT.test(key)),
    ...LIBRARY,
  }
}

/** The library's keys by lifetime: one key for the provider's default, others with the lifetime in their name. */
function writeKeysOf(id: string): readonly (readonly [ttl: string, key: string])[] {
  const { lookup, ttls } = ruleFor(id)
  if (lookup !== "breakpoint") return []
  return ttls.map(({ name }, index) => [name, index === 0 ? "cache_write_mtok" : `cache_write_${name}_mtok`])
}

/** The rate for a call whose input is just above the limit; as in the library, it applies to the whole call. */
function rateAbove(above: number, price: number | TieredPrices): number {
  if (typeof price === "number") return price
  return price.tiers.findLast(({ start }) => start <= above)?.price ?? price.base
}

function tierStarts(prices: ModelPrice): readonly number[] {
  const starts = Object.entries(prices).flatMap(([key, price]) =>
    TEXT.test(key) && typeof price === "object" ? price.tiers.map(({ start }) => start) : [],
  )
  return [...new Set(starts)].sort((one, other) => one - other)
}

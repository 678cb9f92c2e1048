// `incipit/record`: what is known about prices.
export { PRICE_OVERRIDES, type PriceOverride } from "../record/price-overrides.ts"
export { type PriceOptions, priceFor } from "../record/prices.ts"

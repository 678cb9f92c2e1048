// How long a provider can be asked to keep a cached prefix.

export const CACHE_TTLS = ["5m", "1h"] as const

/** Used where neither the caller nor the configuration says. */
export const DEFAULT_TTL = "5m"

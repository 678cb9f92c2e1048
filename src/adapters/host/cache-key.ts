// The key by which OpenAI leads requests to the server that has their prefix.

/** The API takes at most 64 characters. */
const LENGTH = 32

/** The same for all chats whose head has the same bytes. */
export function cacheKeyFor(prefix: string): string {
  return prefix.replace(/^.*:/, "").slice(0, LENGTH)
}

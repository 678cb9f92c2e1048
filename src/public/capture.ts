// `incipit/capture`: model calls into a record, from any SDK that takes a `fetch` and from chats in other hosts. Needs Node.

export { recordCalls } from "../adapters/host/record-calls.ts"
export type { CapturedCall } from "../capture/call.ts"
export {
  type CaptureFetchOptions,
  type CapturingFetch,
  captureFetch,
} from "../capture/fetch/capture-fetch.ts"

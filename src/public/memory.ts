// `incipit/memory`: Markdown stores by trust, with token-efficient search. Needs Node.
export type { GetOptions, GetResult } from "../memory/get.ts"
export {
  type Memory,
  type MemoryOptions,
  type MemoryStatus,
  openMemory,
  type SearchOptions,
} from "../memory/memory.ts"
export type { Recall } from "../memory/recall.ts"
export type { SearchResult } from "../memory/search.ts"
export type { SharedMemory } from "../memory/shared-memory.ts"
export type { RefreshOptions } from "../memory/shelf/refresh.ts"
export type { Store, StoreFile } from "../memory/shelf/store.ts"
export type { StoreStatus } from "../memory/store-status.ts"
export type { Why } from "../memory/why-not.ts"
export type { WriteOptions, WriteResult } from "../memory/write.ts"

// The views by name: what each is called, which key leads there, who may use it, and its code, which is loaded when it is
// first shown.
import type { ComponentType } from "preact"
import type { PageInfo } from "../../src/serve/page/shown.ts"
import type { ViewName } from "../shell/place.ts"

export interface View {
  readonly name: ViewName
  readonly title: string
  /** Pressed after "g". */
  readonly key: string
  /** Whether this server and caller have it. */
  readonly isOpen: (info: PageInfo) => boolean
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

const reads = ({ caller: { scopes } }: PageInfo) => scopes.includes("read") || scopes.includes("operate")

export const VIEW_TABLE: readonly View[] = [
  {
    name: "chat",
    title: "Chat",
    key: "h",
    isOpen: ({ mode, caller: { scopes } }) => mode === "serve" && scopes.includes("talk"),
    load: () => import("./chat/chat-view.tsx"),
  },
  {
    name: "prompt",
    title: "Prompt",
    key: "p",
    isOpen: reads,
    load: () => import("./prompt/prompt-view.tsx"),
  },
  {
    name: "what-if",
    title: "What if",
    key: "w",
    // A file or a session has no folder to compile.
    isOpen: ({ mode, sources, caller }) =>
      caller.isOperator && (mode === "serve" || sources.some(({ id }) => id === "folder")),
    load: () => import("./what-if/what-if-view.tsx"),
  },
  { name: "cache", title: "Cache", key: "c", isOpen: reads, load: () => import("./cache/cache-view.tsx") },
  { name: "cost", title: "Cost", key: "m", isOpen: reads, load: () => import("./cost/cost-view.tsx") },
  { name: "diff", title: "Diff", key: "d", isOpen: reads, load: () => import("./diff/diff-view.tsx") },
]

// What the routes of the page need of a request, and nothing of the server behind it: `serve` shows its agents, and
// `inspect` shows files without any agent.
import type { SurfaceCall } from "../http/surface.ts"
import type { PageSource, Reader } from "./page-source.ts"
import type { PageInfo } from "./shown.ts"

/** What a server shows on its page. */
export interface ShownPage {
  /** The first is shown first. Captures are for operators only. */
  sources(reader: Reader): readonly PageSource[]
  info(reader: Reader): Promise<PageInfo>
}

export interface PageCall extends Pick<SurfaceCall, "caller" | "signal" | "isCurrent" | "failed"> {
  readonly page: ShownPage
}

// Finding calls for the tools: by the id of a call, a turn or a session, or those of the asker's own session.
import type { PageSource } from "../../page/page-source.ts"
import type { CallDetail, CallRow } from "../../page/shown.ts"
import { badInput, type McpCall } from "./mcp-tool.ts"

export interface FoundCalls {
  readonly source: PageSource
  readonly session: string
  /** Oldest first. */
  readonly calls: readonly CallRow[]
  /** Which of them is meant: the newest if a session was asked for. */
  readonly call: CallRow
  /** Whether there are earlier ones. */
  readonly hasEarlier: boolean
  readonly others: readonly string[]
}

/** `last` means no id. */
export async function findCalls(id: string | undefined, call: McpCall, limit: number): Promise<FoundCalls> {
  const { view, client } = call
  if (id !== undefined && id !== "last") return findNamed(id, call, limit)
  const own = await view.ownSession(client)
  if (own === undefined)
    throw badInput(
      "no call of this workspace is known yet: neither the agent nor a coding agent here has called a model",
    )
  const { source, session, others } = own
  const found = await inSession(source, session, { call, limit })
  if (found === undefined) throw badInput("the newest session has no calls yet")
  return { ...found, others }
}

/** Someone else's and one that does not exist are the same. */
async function findNamed(id: string, call: McpCall, limit: number): Promise<FoundCalls> {
  const { reader, sources } = call.view
  for (const source of await sources()) {
    const row = (await rowNamed(id, source, call)) ?? undefined
    const session = row?.session ?? id
    const found = await inSession(source, session, { call, limit })
    if (found !== undefined) return { ...found, call: row ?? found.call }
    const sessions = await source.sessions(reader, { limit: 100 })
    const begun = sessions.sessions.find((one) => one.id.startsWith(id))
    const named = begun && (await inSession(source, begun.id, { call, limit }))
    if (named !== undefined) return named
  }
  throw badInput(`there is no call, turn or session ${id}`)
}

/** A turn stands for its first call. */
async function rowNamed(id: string, source: PageSource, { view }: McpCall): Promise<CallRow | undefined> {
  for (const name of [id, `${id}.1`]) {
    const found = await source.call(view.reader, name)
    if (found !== undefined) return found.call
  }
  return undefined
}

async function inSession(
  source: PageSource,
  session: string,
  { call, limit }: { readonly call: McpCall; readonly limit: number },
): Promise<FoundCalls | undefined> {
  const page = await source.calls(call.view.reader, { session, limit })
  const newest = page?.calls.at(-1)
  if (page === undefined || newest === undefined) return undefined
  return {
    ...{ source, session, calls: page.calls, call: newest, others: [] },
    hasEarlier: page.earlier !== null,
  }
}

/** What a call sent. It was there a moment ago. */
export async function detailOf({ source, call }: FoundCalls, { view }: McpCall): Promise<CallDetail> {
  const detail = await source.call(view.reader, call.id)
  if (detail === undefined) throw badInput(`what the call ${call.id} sent is not kept`)
  return detail
}

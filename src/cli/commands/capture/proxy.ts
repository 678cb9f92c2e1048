// `incipit proxy`: forwards calls of any program to their providers and keeps a copy, until it is asked to stop.
import { IncipitError } from "../../../base/error.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import type { CapturedCall } from "../../../capture/call.ts"
import { type Counts, openCapturingProxy } from "../../../capture/proxy/capturing-proxy.ts"
import { setupLines, upstreamUrl } from "../../../capture/proxy/client-setup.ts"
import { createRoute } from "../../../capture/proxy/upstream.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { inputOf } from "../../../render/cache/price.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { openCapturesFor } from "./captures-place.ts"

export async function run({ flags, terminal }: Invocation<"proxy">): Promise<number> {
  const all = flags.upstream === undefined ? undefined : upstreamUrl(flags.upstream)
  if (flags.upstream !== undefined && all === undefined)
    throw new IncipitError(
      "bad-argument",
      `--upstream must be anthropic, openai, google or a URL, not "${flags.upstream}"`,
    )
  const captures = await openCapturesFor(terminal, flags.metadataOnly)
  try {
    const proxy = await openCapturingProxy({
      ...{ port: flags.port, route: createRoute({ all }), captures, now: terminal.now },
      onCall: (call) => terminal.out(flags.json ? jsonLine(call) : callLine(call)),
    })
    terminal.out(flags.json ? `${JSON.stringify({ url: proxy.url })}\n` : `${proxy.url}\n`)
    if (!flags.json) terminal.err(`${guide(proxy.url, all).join("\n")}\n`)
    await terminal.stopped()
    await proxy.close()
    if (!flags.json) terminal.err(`${countLines(proxy.counts()).join("\n")}\n`)
  } finally {
    await captures.close()
  }
  return 0
}

function guide(url: string, all: string | undefined): readonly string[] {
  const upstream = all === undefined ? "Anthropic, OpenAI and Google" : new URL(all).host
  return [
    `Forwarding to ${upstream}. Point a client here for as long as this runs:`,
    ...setupLines(url).map((line) => `  ${line}`),
    "Claude Code may send a different prompt behind a proxy; `incipit wrap -- claude` captures it without one.",
    "Calls are kept in the record of captures: `incipit logs --captures`, `incipit bill`. Press Ctrl-C to stop.",
  ]
}

function jsonLine({ request: _kept, files: _too, ...call }: CapturedCall): string {
  return `${JSON.stringify(call)}\n`
}

function callLine({ client, model, usage, session }: CapturedCall): string {
  const { read, output } = usage
  const tokens = `${thousands(inputOf(usage))} in (${thousands(read)} cached), ${thousands(output)} out`
  return `${escapeHidden(`${client} ${model} ${session}`)}: ${tokens}\n`
}

/** What was kept, and what was not and why. */
export function countLines(counts: Counts): readonly string[] {
  const missed = [
    [counts.refused, "refused by the provider"],
    [counts["too-large"], "too large to keep"],
    [counts["not-understood"], "not understood, such as answers without token usage"],
    [counts.failed, "not written to the record"],
    [counts.upgraded, "over a WebSocket, which is passed on and not captured"],
  ] as const
  return [
    `Captured ${plural(counts.kept, "call")}.`,
    ...missed.flatMap(([count, why]) =>
      count === 0 ? [] : [`Not captured: ${plural(count, "call")} ${why}.`],
    ),
  ]
}

// Why some calls are estimated, and what one line would make the next ones exact, for each client.
import type { CapturedCall, Client } from "../../call.ts"
import type { Estimated } from "../bill.ts"

type Inexact = Estimated["coverage"]

export interface Coverages {
  add(call: CapturedCall): void
  /** Calls that are not exact, in all. */
  readonly estimatedCalls: number
  estimated(): readonly Estimated[]
  /** The share of a client's calls that are exact. */
  exactShare(client: Client): number
}

export function createCoverages(): Coverages {
  const counts = new Map<Client, Record<CapturedCall["coverage"], number>>()
  let estimatedCalls = 0
  return {
    get estimatedCalls() {
      return estimatedCalls
    },
    add({ client, coverage }) {
      const count = counts.get(client) ?? { exact: 0, partial: 0, none: 0 }
      count[coverage] += 1
      counts.set(client, count)
      if (coverage !== "exact") estimatedCalls += 1
    },
    estimated: () =>
      [...counts]
        .flatMap(([client, count]) =>
          (["partial", "none"] as const).map((coverage) => reasonOf(client, coverage, count[coverage])),
        )
        .filter(({ calls }) => calls > 0)
        .toSorted((one, other) => other.calls - one.calls),
    exactShare(client) {
      const { exact, partial, none } = counts.get(client) ?? { exact: 0, partial: 0, none: 1 }
      return exact / (exact + partial + none)
    },
  }
}

const BODY_FILES = `"env": { "OTEL_LOG_RAW_API_BODIES": "file:/absolute/folder" }`

interface Reason {
  readonly why: Readonly<Record<Inexact, string>>
  readonly fix: string
}

const IN_TRANSCRIPTS = (title: string, missing: string, fix: string): Reason => ({
  why: {
    partial: `${title} does not keep ${missing}`,
    none: `${title} kept no text of these calls`,
  },
  fix,
})

const REASONS: Readonly<Record<Client, Reason>> = {
  "claude-code": {
    why: {
      partial: "recorded before 2.1.282, or in a resumed session whose requests cannot be put together",
      none: "recorded by a version that does not keep its requests",
    },
    fix: `~/.claude/settings.json: ${BODY_FILES}`,
  },
  "agent-sdk": {
    why: { partial: "some requests are incomplete", none: "the Agent SDK did not keep its requests" },
    fix: "OTEL_LOG_RAW_API_BODIES=file:/absolute/folder in the environment of your program",
  },
  codex: IN_TRANSCRIPTS("Codex", "tool definitions", "incipit wrap -- codex"),
  pi: IN_TRANSCRIPTS(
    "pi",
    "whole requests, and before 0.87 neither its system prompt nor its tools",
    "incipit wrap -- pi",
  ),
  opencode: IN_TRANSCRIPTS("OpenCode", "its system prompt and tools", "incipit wrap -- opencode"),
  "gemini-cli": IN_TRANSCRIPTS("Gemini CLI", "its system prompt and tools", "incipit wrap -- gemini"),
  openclaw: IN_TRANSCRIPTS("OpenClaw", "all of its requests", "incipit proxy"),
  incipit: {
    why: { partial: "parts of the requests were redacted or pruned", none: "kept without text" },
    fix: "capture without --metadata-only",
  },
  other: {
    why: { partial: "the requests in the file are incomplete", none: "the file holds no requests" },
    fix: `put each request into the field "request"`,
  },
}

/** Why the request of a call is not known as it was sent, and what would make the next ones exact. */
export function whyInexact(client: Client, coverage: Inexact): Pick<Estimated, "why" | "fix"> {
  const { why, fix } = REASONS[client]
  return { why: why[coverage], fix }
}

function reasonOf(client: Client, coverage: Inexact, calls: number): Estimated {
  return { client, coverage, calls, ...whyInexact(client, coverage) }
}

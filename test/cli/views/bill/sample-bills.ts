// Bills of our own making, for the views: a week of one client with everything on it, and several clients.
import type {
  Bill,
  BillMiss,
  BillMissCause,
  BillSum,
  CostGroup,
  GroupCost,
  MissGroup,
} from "../../../../src/capture/bill/bill.ts"

const NOV = (day: number, hour = 9, minute = 0) => Date.UTC(2026, 10, day, hour, minute)

const sum = (calls: number, costUsd: number | null, more: Partial<BillSum> = {}): BillSum => ({
  calls,
  sessions: Math.ceil(calls / 45),
  tokens: { uncached: calls * 20, read: calls * 48_000, written: calls * 1_900, output: calls * 610 },
  costUsd,
  unpriced: 0,
  reported: 0,
  ...more,
})

const group = (
  name: CostGroup,
  costUsd: number,
  items: readonly (readonly [string, number])[] = [],
  used?: number,
): GroupCost => ({
  group: name,
  costUsd,
  share: costUsd / 72.73,
  items: items.map(([item, usd]) => ({ name: item, costUsd: usd, tokens: Math.round(usd * 3000) })),
  count: name === "skills" ? 23 : items.length,
  used,
})

const miss = (
  cause: BillMissCause,
  day: number,
  costUsd: number,
  more: Partial<BillMiss> = {},
): BillMiss => ({
  at: NOV(day, 14, 2),
  client: "claude-code",
  session: "5d2c1f0e-0000-4000-8000-000000000001",
  call: `msg_${cause}`,
  cause,
  tokens: Math.round(costUsd * 207_000),
  costUsd,
  ...more,
})

const pause = miss("expired", 10, 0.88, { idleMs: 41 * 60_000, ttlMs: 300_000 })
const edit = miss("text-changed", 12, 0.31, {
  owner: { kind: "file", path: "AGENTS.md", line: 41, lineBefore: 40, match: "exact" },
  how: "changed",
  before: "Run the tests before you commit.",
  after: "Run the tests and the linter before you commit.",
})
const switched = miss("model-changed", 11, 0.61, { models: ["claude-opus-5-5", "claude-sonnet-5-5"] })
const tools = miss("tools-changed", 13, 0.2, {
  owner: { kind: "mcp-tool", server: "linear", name: "create_issue", match: "exact" },
  how: "came",
})

const groupOf = (
  costliest: BillMiss,
  count: number,
  costUsd: number,
  names: readonly string[] = [],
): MissGroup => ({
  cause: costliest.cause,
  count,
  tokens: Math.round(costUsd * 208_000),
  costUsd,
  costliest,
  names,
})

/** A week like many: pauses, a switch, an edit, a server that connected late. */
export const WEEK: Bill = {
  ...sum(1412, 72.73, { sessions: 31 }),
  from: NOV(9),
  to: NOV(15, 21),
  since: NOV(9, 0),
  until: undefined,
  timeZone: "UTC",
  exact: false,
  estimatedCalls: 14,
  estimated: [
    {
      client: "claude-code",
      coverage: "none",
      calls: 14,
      why: "recorded by a version that does not keep its requests",
      fix: "update Claude Code",
    },
  ],
  prices: [{ model: "claude-opus-5-5", calls: 1412, kind: "list", date: "2026-11-01" }],
  byDay: [
    ...[
      [9, 6.2],
      [10, 18.4],
      [11, 9.3],
      [12, 15.5],
      [13, 12.1],
    ].map(([day = 0, usd = 0]) => ({ key: `2026-11-${String(day).padStart(2, "0")}`, ...sum(250, usd) })),
    { key: "2026-11-15", ...sum(162, 11.23) },
  ],
  bySession: [
    {
      key: "5d2c1f0e-0000-4000-8000-000000000001",
      client: "claude-code",
      project: "/home/ada/winch",
      from: NOV(10),
      to: NOV(10, 17),
      ...sum(412, 31.5, { sessions: 1 }),
    },
    {
      key: "77aa0b1c-0000-4000-8000-000000000002",
      client: "claude-code",
      project: "/home/ada/tides",
      from: NOV(12),
      to: NOV(13),
      ...sum(1000, 41.23, { sessions: 1 }),
    },
  ],
  byClient: [{ key: "claude-code", ...sum(1412, 72.73, { sessions: 31 }) }],
  byModel: [{ key: "claude-opus-5-5", ...sum(1412, 72.73, { sessions: 31 }) }],
  groups: [
    group("tool-results", 27.12, [
      ["pnpm test", 9.4],
      ["Read", 6.02],
    ]),
    group("output", 14.84),
    group("conversation", 14.05),
    group("client", 8.31),
    group("instructions", 4.96, [
      ["CLAUDE.md", 3.86],
      [".claude/rules/lamp.md", 1.1],
    ]),
    group("mcp", 2.31, [
      ["linear", 1.62],
      ["github", 0.69],
    ]),
    group("skills", 1.14, [], 2),
  ],
  owners: [
    {
      kind: "tool-result",
      group: "tool-results",
      name: "Bash",
      input: "pnpm test",
      match: "exact",
      tokens: 256_200,
      carriedTokens: 15_372_000,
      calls: 980,
      carriedUsd: 9.4,
      times: 42,
    },
    {
      kind: "file",
      group: "instructions",
      path: "CLAUDE.md",
      lines: [1, 90],
      match: "exact",
      tokens: 812,
      carriedTokens: 1_146_544,
      calls: 1412,
      carriedUsd: 3.86,
    },
    {
      kind: "mcp-tool",
      group: "mcp",
      server: "github",
      name: "create_gist",
      match: "exact",
      tokens: 190,
      carriedTokens: 268_280,
      calls: 1412,
      carriedUsd: 0.69,
      used: 0,
    },
  ],
  missedUsd: 13.09,
  missGroups: [
    groupOf(pause, 29, 9.79),
    groupOf(switched, 4, 1.97),
    groupOf(tools, 6, 0.53, ["linear"]),
    groupOf(edit, 1, 0.31, ["AGENTS.md"]),
    groupOf(miss("evicted", 14, 0.3), 2, 0.49),
  ],
  misses: [pause, switched, edit, tools],
  advice: [
    {
      kind: "trim-results",
      text: "Trim test output: `pnpm test` ran 42 times, and each 6,100-token log was sent again about 60 times.",
      command: "pnpm test | tail -40",
      savesUsd: 3.92,
      simulated: true,
    },
    { kind: "model", text: "Pick the model before the first message.", savesUsd: 1.97, simulated: true },
    { kind: "ttl", text: "the 1-hour cache instead of the 5-minute one.", savesUsd: -2.56, simulated: true },
  ],
  reading: {
    files: 44,
    bytes: 212_000_000,
    skippedFiles: 3,
    usageMs: 900,
    detailMs: 1000,
    duplicates: 12,
    clients: [
      { client: "claude-code", title: "Claude Code", folders: ["/home/ada/.claude/projects"], files: 44 },
    ],
  },
  diagnostics: [],
}

/** Four clients, one of them without a known price. */
export const CLIENTS_TOGETHER: Bill = {
  ...WEEK,
  ...sum(1600, 80.11, { sessions: 43, unpriced: 20 }),
  prices: [
    ...WEEK.prices,
    { model: "gpt-6-sol", calls: 160, kind: "list", date: "2026-11-01" },
    { model: "lab/unknown-1", calls: 20, kind: "unknown" },
  ],
  byClient: [
    { key: "claude-code", ...sum(1412, 72.73, { sessions: 31 }) },
    { key: "codex", ...sum(130, 6.2, { sessions: 8 }) },
    { key: "opencode", ...sum(38, 1.18, { sessions: 3 }) },
    { key: "pi", ...sum(20, null, { sessions: 1, unpriced: 20 }) },
  ],
  byModel: [
    { key: "claude-opus-5-5", ...sum(1412, 72.73) },
    { key: "gpt-6-sol", ...sum(160, 7.38) },
  ],
}

const HOSTILE =
  "\u001b[2J</style><script>alert(1)</script>|**@everyone** `x` [a](javascript:b)\n::error::\u202e\"'"

/** The same week, with every name and text as somebody would write it who wants it to be taken for something else. */
export const HOSTILE_WEEK: Bill = {
  ...CLIENTS_TOGETHER,
  groups: WEEK.groups.map((one) => ({
    ...one,
    items: one.items.map((item) => ({ ...item, name: HOSTILE })),
  })),
  owners: WEEK.owners.map((one) => ({
    ...one,
    path: HOSTILE,
    name: HOSTILE,
    server: HOSTILE,
    input: HOSTILE,
  })),
  byModel: [{ key: HOSTILE, ...sum(1, 1) }],
  bySession: WEEK.bySession.map((one) => ({ ...one, key: HOSTILE, project: HOSTILE })),
  missGroups: WEEK.missGroups.map((one) => ({
    ...one,
    names: [HOSTILE],
    costliest: {
      ...edit,
      owner: { kind: "file", path: HOSTILE, match: "exact" },
      before: HOSTILE,
      after: HOSTILE,
    },
  })),
  misses: [{ ...edit, before: HOSTILE, after: HOSTILE, setting: HOSTILE }],
  advice: WEEK.advice.map((one) => ({ ...one, text: HOSTILE, command: HOSTILE })),
  estimated: WEEK.estimated.map((one) => ({ ...one, why: HOSTILE, fix: HOSTILE })),
  prices: [{ model: HOSTILE, calls: 1, kind: "unknown" }],
}

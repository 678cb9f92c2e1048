// One table of a TOML text is changed, and the rest stays as somebody wrote it.
import { parse } from "smol-toml"
import { describe, expect, test } from "vitest"
import { withKey, withoutTable, withTable } from "../../../../src/cli/commands/mcp/install/toml-settings.ts"
import { statementsOf } from "../../../../src/cli/commands/mcp/install/toml-text.ts"

const PATH = ["servers", "mine"]
const ENTRY = { command: "incipit", args: ["mcp", "--as", "bo"] }
const TABLE = '[servers.mine]\ncommand = "incipit"\nargs = ["mcp", "--as", "bo"]\n'

const CONFIG = `# Ada's settings
model = "gpt-5.5" # the big one
notify = [
  "notify-send", # a # in an array ]
  'C:\\done',
]

[servers."o.ther"]
command = """
[servers.mine]
command = 'x'
"""
env = { A = "#", B = '[x]' }

[[profiles]]
name = 'one'
`

test.each([
  ["at the end of a file", CONFIG, `${CONFIG}\n${TABLE}`],
  ["behind a last line without an end", "a = 1", `a = 1\n\n${TABLE}`],
  ["behind a blank line", "a = 1\n\n", `a = 1\n\n${TABLE}`],
  ["in an empty file", "", TABLE],
])("a table is added %s", (_name, before, after) => {
  const now = withTable(before, PATH, ENTRY)
  expect(now).toBe(after)
  const { servers, ...others } = parse(now)
  const { servers: had, ...rest } = parse(before)
  expect({ others, servers }).toEqual({ others: rest, servers: { ...(had as object), mine: ENTRY } })
})

test("line ends of Windows stay", () => {
  expect(withTable("a = 1\r\n", ["b"], { c: "\u007f\\\n" })).toBe(
    'a = 1\r\n\r\n[b]\r\nc = "\\u007f\\\\\\n"\r\n',
  )
})

test("what was added can be removed", () => {
  for (const text of [CONFIG, "a = 1\n", "", "# only this\n", "a = 1\r\n"])
    expect(withoutTable(withTable(text, PATH, ENTRY), PATH)).toBe(text)
})

describe("a table that somebody has edited", () => {
  const own = `${CONFIG}
[servers.mine] # ours
# starts late
startup_timeout_sec = 20
  command = "old" # was here
args = [
  "mcp", # [x]
]
[servers.mine.env]
A = "1"

# about the next
[servers.next]
command = "mine"
`

  test("gets new values, and keeps its own", () => {
    const now = Object.entries(ENTRY).reduce((text, [key, value]) => withKey(text, PATH, { key, value }), own)
    expect(now).toBe(
      own
        .replace('command = "old"', 'command = "incipit"')
        .replace('args = [\n  "mcp", # [x]\n]', 'args = ["mcp", "--as", "bo"]'),
    )
  })

  test("gets a key that it lacks", () => {
    expect(withKey(own, PATH, { key: "enabled", value: true })).toBe(
      own.replace('"mcp", # [x]\n]\n', '"mcp", # [x]\n]\nenabled = true\n'),
    )
  })

  test("is removed with the tables in it; comments stay", () => {
    expect(withoutTable(own, PATH)).toBe(
      `${CONFIG}\n# starts late\n\n# about the next\n[servers.next]\ncommand = "mine"\n`,
    )
  })
})

test("every statement is found, whatever its strings say", () => {
  const text = `"a.b".'c' . d = 1 # x = 2\n[ t . "u" ]\nx = '''\n[no]\ny = 1''''\nz = "\\"[\\\\"\nd = 1979-05-27T07:32:00Z\n[[l.m]]`
  expect(
    statementsOf(text).map((one) => [
      one.path,
      one.kind === "pair" ? text.slice(one.valueAt, one.valueEnd) : text.slice(one.at, one.end),
    ]),
  ).toEqual([
    [["a.b", "c", "d"], "1"],
    [["t", "u"], '[ t . "u" ]'],
    [["x"], "'''\n[no]\ny = 1''''"],
    [["z"], '"\\"[\\\\"'],
    [["d"], "1979-05-27T07:32:00Z"],
    [["l", "m"], "[[l.m]]"],
  ])
})

import { afterEach, beforeEach, expect, test } from "vitest"
import { mcpServer } from "../../../src/agent/mcp/config.ts"
import { loadConfig } from "../../../src/sources/config/config.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const load = (text: string) => loadConfig(folder.write("workspace/incipit.yaml", text), "incipit.yaml")

test("a server is read with what is not said filled in, and its paths start at the workspace", () => {
  const { config, diagnostics } = load(`mcp:
  files: { command: ./bin/files, args: [--all], cwd: data, env: { KEY: $KEY } }
  web: { url: https://example.org/mcp, headers: { authorization: "Bearer \${KEY}" }, oauth: { client: c, secret: $KEY, port: 4000 }, trust: inner, timeout: 2m, tools: [search], prefix: true, instructions: false }
  path: { command: github-mcp-server, roots: false, trust: everyone, timeout: 60w }
`)
  const read = Object.entries(config.mcp ?? {}).map(([name, one]) => {
    const { place, rule, named, ...server } = mcpServer(name, one, {
      root: "/w",
      env: { KEY: "k", HOME: "/h", OTHER: "o" },
    })
    expect([rule("search"), named]).toEqual([undefined, server.only ?? []])
    return { ...server, place: place() }
  })
  expect(diagnostics).toEqual([])
  expect(read).toEqual([
    {
      name: "files",
      trust: "full",
      only: undefined,
      isPrefixed: false,
      tellsInstructions: true,
      callMs: 30_000,
      announced: "/w",
      place: {
        kind: "process",
        command: "/w/bin/files",
        args: ["--all"],
        directory: "/w/data",
        env: { HOME: "/h", KEY: "k" },
      },
    },
    {
      name: "web",
      trust: "inner",
      only: ["search"],
      isPrefixed: true,
      tellsInstructions: false,
      callMs: 120_000,
      announced: undefined,
      place: {
        ...{ kind: "http", url: "https://example.org/mcp", headers: { authorization: "Bearer k" } },
        oauth: { client: "c", secret: "k", port: 4000 },
      },
    },
    {
      name: "path",
      trust: "full",
      only: undefined,
      isPrefixed: false,
      tellsInstructions: true,
      callMs: 2 ** 31 - 1,
      announced: undefined,
      place: {
        kind: "process",
        command: "github-mcp-server",
        args: [],
        directory: "/w",
        env: { HOME: "/h" },
      },
    },
  ])
})

test.each([
  ["{}", "incipit.yaml:2: mcp.a: needs either a command or a url, and not both"],
  [
    "{ command: a, url: https://b.org }",
    "incipit.yaml:2: mcp.a: needs either a command or a url, and not both",
  ],
  ["{ url: https://b.org, cwd: . }", "incipit.yaml:2: mcp.a: args, env, cwd and sandbox belong to a command"],
  ["{ command: a, headers: { b: c } }", "incipit.yaml:2: mcp.a: headers belong to a url"],
  ["{ command: a, oauth: { port: 1 } }", "incipit.yaml:2: mcp.a: oauth belongs to a url"],
  ["{ url: file:///b }", "incipit.yaml:2: mcp.a.url: is not an http or https URL"],
  ["{ command: a, timeout: soon }", "incipit.yaml:2: mcp.a.timeout: is not a duration such as 30s"],
  ["{ command: a, env: { B: 1 } }", "incipit.yaml:2: mcp.a.env.B: must be a string, not 1"],
])("%s is an error that points at its line", (server, message) => {
  expect(() => load(`mcp:\n  a: ${server}\n`)).toThrow(message)
})

test("a key that nobody reads is a diagnostic that names the nearest one", () => {
  expect(load("mcp:\n  a: { command: a, trsut: public }\n").diagnostics).toEqual([
    {
      code: "unknown-key",
      path: "incipit.yaml",
      line: 2,
      key: "mcp.a.trsut",
      nearest: "trust",
      needs: "full",
    },
  ])
})

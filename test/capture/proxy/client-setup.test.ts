// How `incipit wrap` points a client at itself, and where its calls go from there: to the address that its user has set.
import { expect, test } from "vitest"
import { type SetupOptions, setUp } from "../../../src/capture/proxy/client-setup.ts"

const FILES: Readonly<Record<string, string>> = {
  "/home/.config/opencode/opencode.jsonc": `{
    // Ours, "not theirs".
    "provider": { "anthropic": { "options": { "baseURL": "https://one.example/v1", }, }, }, /* the end */
  }`,
  "/project/.opencode/opencode.json": `{"provider":{"openai":{"options":{"baseURL":"https://two.example//v1"}}}}`,
  "/agent/models.json": `{"providers":{"anthropic":{"baseUrl":"https://three.example"}}}`,
}

function setUpOf(command: string, more: Partial<SetupOptions> = {}) {
  return setUp({
    ...{ command, variables: {}, mode: undefined, url: "http://127.0.0.1:1", folder: "/run" },
    ...{ read: (path) => FILES[path], home: "/home", cwd: "/project", ...more },
  })
}

test("a client's own address is where the proxy sends its calls, also from a file with comments", () => {
  expect(setUpOf("opencode").providers).toEqual({
    anthropic: "https://one.example",
    openai: "https://two.example//v1",
  })
  const variables = { OPENCODE_CONFIG: "/home/.config/opencode/opencode.jsonc", XDG_CONFIG_HOME: "/none" }
  expect(setUpOf("opencode", { variables, cwd: "/" }).providers).toEqual({ anthropic: "https://one.example" })
  expect(setUpOf("pi", { variables: { PI_CODING_AGENT_DIR: "/agent" } }).providers).toEqual({
    anthropic: "https://three.example",
  })
})

test("body files are for Claude Code and for programs with its SDK, and for no other client", () => {
  const bodies = { mode: "bodies", variables: { OTEL_LOG_RAW_API_BODIES: "file:/run" } }
  expect(setUpOf("claude")).toMatchObject(bodies)
  expect(setUpOf("node", { mode: "bodies" })).toMatchObject(bodies)
  expect(setUpOf("node")).toMatchObject({ mode: "proxy" })
  for (const command of ["codex", "opencode", "pi", "gemini", "openclaw"])
    expect(() => setUpOf(command, { mode: "bodies" })).toThrow(`${command} cannot write its requests down`)
})

test("a client that cannot be pointed at the proxy is said to be one", () => {
  expect(setUpOf("openclaw").note).toContain("wrap cannot capture its calls")
})

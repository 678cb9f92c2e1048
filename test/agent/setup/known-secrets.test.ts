// Which values count as secrets of an agent: of its environment, and of what its configuration names.
import { expect, test } from "vitest"
import { knownSecrets } from "../../../src/agent/setup/known-secrets.ts"
import { open, say, server, workspace, write } from "../world/agent-world.ts"

const ENV = {
  LAB: "lab-4711-value",
  SEA: "sea-0815-value",
  NPM_TOKEN: "npm-1234-value",
  EDITOR: "vim-9.1-plain",
}

test("keys of providers, variables and headers of servers, passwords in addresses", () => {
  const config = {
    providers: { lab: { url: "http://me:pass-4242-word@gpu.local/v1", key: "LAB" } },
    mcp: {
      tides: {
        command: "tides",
        env: { SEA_TOKEN: "$SEA", LEVEL: "debug-level-1", API_KEY: "typed-in-5678" },
      },
      weather: {
        url: "https://w.test",
        headers: { Authorization: ["Bearer $", "{SEA}-x"].join(""), Accept: "text/plain" },
      },
    },
    record: { otlp: { endpoint: "https://me:otlp-3333-word@collector.test" } },
  }
  const found = knownSecrets(config, ENV)
  expect(found).toEqual(
    expect.arrayContaining([
      ...["lab-4711-value", "npm-1234-value", "sea-0815-value", "typed-in-5678"],
      ...["Bearer sea-0815-value-x", "sea-0815-value-x", "pass-4242-word", "otlp-3333-word"],
    ]),
  )
  for (const plain of ["vim-9.1-plain", "debug-level-1", "text/plain"]) expect(found).not.toContain(plain)
})

test("a variable that the configuration comes to name as a key is known from the next message on", async () => {
  const root = workspace()
  const from = await server([say(`First ${ENV.LAB}.`), say(`Then ${ENV.LAB}.`)])
  const { agent } = await open(root, from, { env: { ...from.env, ...ENV } })
  expect((await agent.send("Hi.")).text).toBe(`First ${ENV.LAB}.`)
  const config = "profile: incipit\nproviders: { lab: { url: 'http://127.0.0.1:1/v1', key: LAB } }\n"
  write(root, "incipit.yaml", config)
  expect((await agent.send("And now?")).text).toBe("Then [redacted:key].")
})

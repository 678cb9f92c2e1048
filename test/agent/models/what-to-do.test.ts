// What a person reads when a provider does not answer: each reason has its own sentence, and says what to do.
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { clock, open, workspace } from "../world/agent-world.ts"

/** The address of a server that answers like this; of none, if there is no answer. */
async function address(answer: RequestListener | undefined): Promise<string> {
  const server = createServer(answer)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server on a port has an address with one.
  const { port } = server.address() as AddressInfo
  const close = () => new Promise((done) => server.close(done))
  if (answer === undefined) await close()
  else onTestFinished(() => void close())
  return `http://127.0.0.1:${port}`
}

const refuse =
  (status: number, message: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify({ error: { message, type: "error" } }))
  }

interface Case {
  readonly model: string
  readonly env: (at: string) => Readonly<Record<string, string>>
  readonly answer?: RequestListener
}

const ollama = (at: string) => ({ OLLAMA_HOST: at })
const anthropic = (at: string) => ({ ANTHROPIC_BASE_URL: at, ANTHROPIC_API_KEY: "sk-no" })

test.each<[string, Case, string]>([
  [
    "Ollama that is not running",
    { model: "ollama/qwen3", env: ollama },
    "The model cannot answer now (Ollama is not running at AT; start it with `ollama serve`, or set OLLAMA_HOST). Your message is kept",
  ],
  [
    "a server that is not running",
    { model: "anthropic/claude-sonnet-5-5", env: anthropic },
    "The model cannot answer now (nothing listens at AT; check the address, and that the server runs). Your message is kept",
  ],
  [
    "a model that Ollama does not have",
    {
      model: "ollama/qwen3",
      env: ollama,
      answer: refuse(404, 'model "qwen3" not found, try pulling it first'),
    },
    "This message cannot be answered: Ollama does not have qwen3; run `ollama pull qwen3`, or choose a model that `ollama list` shows (404: ",
  ],
  [
    "a model that the provider does not know",
    { model: "anthropic/claude-sonet", env: anthropic, answer: refuse(404, "model: claude-sonet") },
    "This message cannot be answered: anthropic does not know the model claude-sonet; choose another one with --model, or with `model` in incipit.yaml (404: ",
  ],
  [
    "a wrong key",
    { model: "anthropic/claude-sonnet-5-5", env: anthropic, answer: refuse(401, "invalid x-api-key") },
    "This message cannot be answered: anthropic rejected the key in ANTHROPIC_API_KEY; set a valid one (401: ",
  ],
  [
    "a key that may not use the model",
    { model: "anthropic/claude-sonnet-5-5", env: anthropic, answer: refuse(403, "no access") },
    "This message cannot be answered: anthropic does not allow the key in ANTHROPIC_API_KEY to use the model (403: ",
  ],
])("%s", async (_name, { model, env, answer }, expected) => {
  const at = await address(answer)
  const time = clock()
  const { agent } = await open(workspace(), { env: env(at) }, { model, now: time.now, wait: time.wait })
  const { text } = await agent.send("Hello?")
  expect(text.replaceAll(at, "AT").slice(0, expected.length)).toBe(expected)
})

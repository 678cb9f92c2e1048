// Runs the built root entry as a page would: in a context that has the web's globals and no module of Node's.
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import vm from "node:vm"

const context = vm.createContext({ TextEncoder, TextDecoder, atob, Uint8Array, console })
const modules = new Map()

/** Links relative files and the hash library; anything else, `node:` first of all, is refused. */
function load(path) {
  const known = modules.get(path)
  if (known) return known
  const module = new vm.SourceTextModule(readFileSync(path, "utf8"), { context, identifier: path })
  modules.set(path, module)
  return module
}

async function link(specifier, referrer) {
  if (specifier.startsWith(".")) return load(resolve(dirname(referrer.identifier), specifier))
  if (specifier.startsWith("@noble/hashes/")) return load(fileURLToPath(import.meta.resolve(specifier)))
  throw new Error(`a page has no ${specifier}`)
}

const root = load(resolve("dist/lib/incipit.js"))
await root.link(link)
await root.evaluate()
const { compile, fingerprintOf, o200k, section, tags, textContent } = root.namespace

const profile = {
  name: "page",
  order: "paced",
  markup: tags,
  sections: [
    section({
      id: "hello",
      pace: "stable",
      priority: "required",
      trust: "public",
      cut: "whole",
      build: () => textContent("Hello from a page."),
    }),
    section({
      id: "clock",
      pace: "turn",
      priority: "required",
      trust: "public",
      cut: "whole",
      build: ({ turn }) => textContent(String(turn.now)),
    }),
  ],
}
const agent = { id: "main", files: [], tools: [], extensions: [] }
const session = { id: "s", files: [], audience: { trust: "public", situation: "dm", mode: "full" } }
const prompt = compile(
  profile,
  { agent, session, turn: { id: "t", now: 0, timeZone: "UTC" } },
  { counter: o200k },
)
process.stdout.write(prompt.text)
process.stdout.write(
  `${prompt.head[0].tokens} ${fingerprintOf(prompt).length === 71 ? prompt.plan.blocks.reduce((sum, { tokens }) => sum + tokens, 0) : "bad digest"}\n`,
)

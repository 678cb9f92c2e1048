// A running agent with a model that does whatever it is told, and everything that was sent to it for one person.
import type { Sender } from "../../src/database/contract/sender.ts"
import { type StartedAgent, startAgent } from "../agent/world/agent-world.ts"
import { type Directive, obedientModel, orders } from "../agent/world/obedient-model.ts"
import { isAside } from "../agent/world/scripted-model.ts"

export const PEOPLE = {
  ada: { as: "ada", channel: "telegram:1" },
  alice: { as: "alice", channel: "telegram:3" },
  bob: { as: "bob", channel: "telegram:2" },
  stranger: { channel: "telegram:999" },
  room: { as: "bob", channel: "telegram:-100" },
} as const satisfies Readonly<Record<string, Sender>>

export const CONFIG = `
users:
  ada: { trust: full, match: ["terminal:*", "telegram:1"] }
  alice: { trust: inner, match: ["telegram:3"] }
  bob: { trust: familiar, match: ["telegram:2"] }
rooms: { "telegram:-100": { trust: familiar } }
feeds: { bulletin: off, recall: off }
`

export interface Prying {
  readonly local: StartedAgent
  /** Everything that was sent while the person had these tools called, all at once. */
  ask(who: Sender, directives: readonly Directive[]): Promise<string>
}

export async function pry(files: Readonly<Record<string, string>>): Promise<Prying> {
  let model = obedientModel()
  const local = await startAgent({
    protocol: "anthropic",
    files: { "incipit.yaml": CONFIG, "AGENTS.md": "Be brief.\n", ...files },
    approve: async () => "yes",
    answer: (asked) => (isAside(asked.body) ? [{ text: "Nothing." }] : model.answer(asked)),
  })
  return {
    local,
    async ask(who, directives) {
      // It does nothing twice, and each of them asks for the same.
      model = obedientModel()
      const before = local.exchanges.length
      await local.send(directives.length === 0 ? "Hello." : orders(directives), who)
      await local.send("And now?", who)
      return local.exchanges
        .slice(before)
        .map(({ text }) => text)
        .join("\n")
    },
  }
}

export function read(path: string): Directive {
  return { tool: "read", input: { path } }
}

/** Which of these stand in what was sent. Kept short, since a request is long. */
export function heard(sent: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => sent.includes(word))
}

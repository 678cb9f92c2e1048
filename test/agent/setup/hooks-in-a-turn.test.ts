// Every hook in turns of a real agent over a local server: what the provider then receives, and what is recorded.
import { expect, onTestFinished, test } from "vitest"
import { userMessage } from "../../../src/core/model/message.ts"
import type { HookDefinition } from "../../../src/hooks/hooks.ts"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import { type StartedAgent, startAgent } from "../world/agent-world.ts"
import type { Asked } from "../world/reporting-server.ts"
import { call } from "../world/scripted-model.ts"
import type { Part } from "../world/servers/script.ts"

const FILES = {
  "incipit.yaml":
    "profile: incipit\nfeeds: { communication: off, bulletin: off }\nusers: { bob: { trust: familiar } }\n",
  "SOUL.md": "You keep the light of a small island.\n",
  "notes.md": "The lamp needs oil.\n",
}

async function agentWith(
  hooks: readonly HookDefinition[],
  answer: (asked: Asked) => readonly Part[] = () => [{ text: "Yes." }],
): Promise<StartedAgent> {
  const local = await startAgent({ protocol: "anthropic", files: FILES, answer, hooks })
  onTestFinished(() => local.close())
  return local
}

const headOf = (local: StartedAgent, at: number): string =>
  local.exchanges[at]?.body.system.map(({ text }: { text: string }) => text).join("") ?? ""
const conversationOf = (local: StartedAgent, at: number): string =>
  JSON.stringify(local.exchanges[at]?.body.messages)

test("an edit and a message of before_agent_start last one prompt; the head keeps its bytes", async () => {
  let turns = 0
  const local = await agentWith([
    {
      name: "weather",
      before_agent_start: ({ session }) => {
        turns += 1
        if (turns > 1) return undefined
        expect(session.audience.trust).toBe("full")
        return {
          edits: [{ kind: "add", section: { id: "weather", content: "Gale from the north." } }],
          messages: [{ text: "The barometer falls." }],
        }
      },
    },
  ])
  await local.send("Is it safe to go out?")
  await local.send("And now?")
  expect(headOf(local, 1)).toBe(headOf(local, 0))
  expect(headOf(local, 0)).not.toContain("Gale")
  expect(conversationOf(local, 0)).toContain("Gale from the north.")
  expect(conversationOf(local, 0).indexOf("The barometer falls.")).toBeLessThan(
    conversationOf(local, 0).indexOf("Is it safe"),
  )
  // It is over with the next prompt, which says so once; what was sent before keeps its bytes.
  const second = local.exchanges[1]?.body.messages.at(-1)
  expect(JSON.stringify(second)).toContain("This no longer applies.")
  expect(JSON.stringify(second)).not.toContain("Gale")
})

test("a whole prompt in pi's form: what is added is an edit, what is rewritten begins an epoch and ends with the next prompt", async () => {
  let turns = 0
  const local = await agentWith([
    {
      name: "pirate",
      before_agent_start: ({ systemPrompt }) => {
        turns += 1
        if (turns === 1) return { systemPrompt: `${systemPrompt}\nSpeak like a sailor.` }
        return turns === 2 ? { systemPrompt: "You are a parrot." } : undefined
      },
    },
  ])
  for (const text of ["one", "two", "three"]) await local.send(text)
  expect(conversationOf(local, 0)).toContain("Speak like a sailor.")
  expect(headOf(local, 1)).toBe("You are a parrot.\n\n")
  expect(headOf(local, 2)).toBe(headOf(local, 0))
  const epochs = local.events.flatMap((event) => (event.kind === "epoch-started" ? [event.reason] : []))
  expect(epochs).toEqual(["the session began", "pirate rewrote the prompt", "the rewrite by pirate ended"])
})

test("calls are blocked or changed, results rewritten, messages filtered for one call, and the end is reported", async () => {
  const ended: string[] = []
  const local = await agentWith(
    [
      {
        name: "guard",
        tool_call: ({ name, input }) => {
          if (name === "list") return { block: "No looking around." }
          return name === "read" ? { input: { ...Object(input), path: "notes.md" } } : undefined
        },
        tool_result: ({ text }) => ({ text: text.replace("oil", "OIL") }),
        context: ({ messages, step }) =>
          step === 2
            ? { messages: [...messages, { role: "user", parts: [{ kind: "text", text: "Be brief." }] }] }
            : undefined,
        turn_end: ({ text, steps }) => void ended.push(`${steps}: ${text}`),
      },
    ],
    ({ calls }) =>
      calls === 1 ? [call("read", { path: "other.md" }), call("list", {})] : [{ text: "Done." }],
  )
  await local.send("What does the lamp need?")
  await local.send("Thanks, anything else?")
  expect(conversationOf(local, 1)).toContain("The lamp needs OIL.")
  expect(conversationOf(local, 1)).toContain("Not run: No looking around.")
  expect(conversationOf(local, 1)).toContain("Be brief.")
  expect(conversationOf(local, 2)).not.toContain("Be brief.")
  expect(ended).toEqual(["2: Done.", "1: Done."])
})

test("a context hook may leave the turn context out of a request", async () => {
  const local = await agentWith(
    [{ name: "short", context: () => ({ messages: [userMessage("Only this.")] }) }],
    () => [{ text: "Done." }],
  )
  await local.send("What does the lamp need?")
  expect(conversationOf(local, 0)).toContain("Only this.")
  expect(conversationOf(local, 0)).not.toContain("turn-context")
})

test("a hook that throws costs only its own effect, and is recorded", async () => {
  const local = await agentWith([
    {
      name: "broken",
      before_agent_start: () => {
        throw new Error("no barometer")
      },
      turn_end: () => {
        throw new Error("no ink")
      },
    },
    {
      name: "sound",
      before_agent_start: () => ({ edits: [{ kind: "add", section: { id: "wind", content: "Calm." } }] }),
    },
  ])
  const reply = await local.send("Well?")
  expect(reply.text).toBe("Yes.")
  expect(conversationOf(local, 0)).toContain("Calm.")
  const events = await local.agent.record.read((store) => queryEvents(store, { types: ["hook_error"] }))
  expect(events.map(({ error, data }) => [data?.module, data?.hook, error]).toSorted()).toEqual([
    ["broken", "before_agent_start", "no barometer"],
    ["broken", "turn_end", "no ink"],
  ])
})

test("hooks that a program hands in are read like a module's; who has no name is the program", async () => {
  const edits = [{ kind: "add", section: { id: "wind", content: "Calm." } }] as const
  const local = await startAgent({
    ...{ protocol: "anthropic", files: FILES, answer: () => [{ text: "Yes." }] },
    hooks: [{ before_agent_start: () => ({ edits }) }],
  })
  onTestFinished(() => local.close())
  const { prompt } = await local.send("Well?")
  expect(prompt?.plan.entries.flatMap(({ id, by }) => (id === "wind" ? by : []))).toEqual(["program"])
})

test.each([
  ['{ "name": "old", "hooks": {} }', `exports "hooks", which isn't a hook`],
  ['{ "guard": true }', "exports no hook, neither as its default nor by name. It does nothing."],
])("with %s no agent is opened", async (text, problem) => {
  // As somebody without types might write it.
  const hooks = [JSON.parse(text)]
  await expect(startAgent({ protocol: "anthropic", answer: () => [], hooks })).rejects.toMatchObject({
    code: "bad-hook",
    message: `hooks of the program: ${problem}`,
  })
})

test("sendMessage puts a message into the running session, unless the session may not see it", async () => {
  const local = await agentWith([
    {
      name: "mail",
      trust: "full",
      turn_end: ({ text }, host) => {
        if (text === "Yes.") host.sendMessage({ text: "A letter came." })
      },
    },
  ])
  await local.send("Any post?")
  await local.send("And now?")
  expect(conversationOf(local, 0)).not.toContain("A letter came.")
  expect(conversationOf(local, 1)).toContain("A letter came.")
  await local.send("Any post?", { as: "bob" })
  await local.send("And now?", { as: "bob" })
  expect(conversationOf(local, 3)).toContain("And now?")
  expect(conversationOf(local, 3)).not.toContain("A letter came.")
})

test("a folder with skills that a hook names is listed like any other, also after a reload", async () => {
  const folders = ["extra"]
  const local = await startAgent({
    protocol: "anthropic",
    files: {
      ...FILES,
      "extra/knots/SKILL.md":
        "---\nname: knots\ndescription: How to tie a bowline.\n---\nOver, under, through.\n",
      "more/nets/SKILL.md": "---\nname: nets\ndescription: How to mend a net.\n---\nLoop by loop.\n",
    },
    answer: () => [{ text: "Yes." }],
    hooks: [{ name: "library", resources_discover: () => ({ skillFolders: [...folders] }) }],
  })
  onTestFinished(() => local.close())
  await local.send("one")
  expect(headOf(local, 0)).toContain("How to tie a bowline.")
  folders.push("more")
  await local.agent.reload()
  await local.send("two")
  expect(headOf(local, 1)).toContain("How to mend a net.")
})

test("hooks are given the time zone that the clock of the prompt shows", async () => {
  const zones: string[] = []
  const local = await startAgent({
    protocol: "anthropic",
    files: { ...FILES, "USER.md": "---\ntimezone: Asia/Tokyo\n---\n" },
    answer: () => [{ text: "Yes." }],
    hooks: [
      {
        name: "zones",
        before_agent_start: ({ turn }) => void zones.push(turn.timeZone),
        context: ({ turn }) => void zones.push(turn.timeZone),
        turn_end: ({ turn }) => void zones.push(turn.timeZone),
      },
    ],
  })
  onTestFinished(() => local.close())
  await local.send("What time is it?")
  expect(conversationOf(local, 0)).toContain("(Asia/Tokyo)")
  // Bob may not see where the owner lives.
  await local.send("What time is it?", { as: "bob" })
  expect(zones).toEqual(["Asia/Tokyo", "Asia/Tokyo", "Asia/Tokyo", "UTC", "UTC", "UTC"])
})

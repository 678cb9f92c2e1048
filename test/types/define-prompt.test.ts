// Wrong uses of `definePrompt`, and the message that a person reads for each.
import { expect, test } from "vitest"
import { typeErrors } from "./type-errors.ts"

const SUPPORT = `import { definePrompt, perSession, perTurn, text, type Trust } from "../../../src/public/incipit.ts"
interface Note { text: string; trust?: Trust }
const support = definePrompt({ budget: 3000, sections: {
  base: text("You are the support agent of Acme.", { priority: "required" }),
  notes: perSession((s: { notes: Note[] }) => s.notes, { priority: "high" }),
  plan: perSession((s: { plan: "free" | "paid" }) => s.plan),
  tasks: perTurn((t: { tasks: string[] }) => t.tasks.join("\\n")),
  clock: perTurn((t: { now: Date }) => t.now.toISOString()),
} })
const chat = support.open({ id: "a", notes: [], plan: "free" })
`

/** What the compiler says about each sample, line by line. */
function errorsOf(samples: Readonly<Record<string, string>>): Record<string, string> {
  const programs = Object.fromEntries(Object.entries(samples).map(([name, code]) => [name, SUPPORT + code]))
  return Object.fromEntries(
    Object.entries(typeErrors(programs)).map(([name, errors]) => [name, errors.join("\n")]),
  )
}

test("wrong uses of definePrompt do not compile", () => {
  const found = errorsOf({
    "right uses": `
      chat.say("Hello", { tasks: [], now: new Date() })
      chat.answer([{ id: "c1", output: { found: true } }, { id: "c2", text: "no", isError: true }])
      chat.answer([], { tasks: ["x"], now: new Date() })
      chat.update({ plan: "paid" })
      chat.update({ trust: "inner" })
      support.resume(chat.save(), { notes: [], plan: "free", trust: "full" })
      const bare = definePrompt({ sections: { base: text("Hi.") } }).open({ id: "b" })
      bare.say("Hello")
      definePrompt({ sections: { who: { pace: "session", build: ({ session }) => session.id } } })`,
    "an input of the session is missing": `support.open({ id: "b", notes: [] })`,
    "an input of the session has the wrong type": `support.open({ id: "b", notes: ["Hi"], plan: "free" })`,
    "an input that no section takes": `support.open({ id: "b", notes: [], plan: "free", mood: "good" })`,
    "no inputs of the turn": `chat.say("Hello")`,
    "an input of the turn is missing": `chat.say("Hello", { tasks: [] })`,
    "an input of the turn has the wrong type": `chat.say("Hello", { tasks: [], now: 12 })`,
    "an update of an input that isn't there": `chat.update({ tasks: [] })`,
    "an unknown trust": `support.open({ id: "b", notes: [], plan: "free", trust: "friend" })`,
    "a fixed text with a function": `text((turn: { now: Date }) => turn.now.toISOString())`,
    "a stable section that reads the turn": `definePrompt({ sections: { a: { pace: "stable", build: ({ turn }) => turn.id } } })`,
    "always on a fixed text": `text("Hi.", { onChange: "always" })`,
    "append on a turn section": `perTurn((t: { now: Date }) => String(t.now), { onChange: "append" })`,
    "an unknown option": `text("Hi.", { need: "high" })`,
    "an unknown option of the prompt": `definePrompt({ sections: {}, profile: "x" })`,
    "a string as a section": `definePrompt({ sections: { base: "You are" } })`,
    "a function that waits": `perSession(async (s: { url: string }) => s.url)`,
    "a function that returns a date": `perTurn((t: { now: Date }) => t.now)`,
    "a whole response": `const response = { id: "resp_1", output: [{ type: "message" }] }; chat.add(response)`,
    "the text of an answer": `chat.add("Hello")`,
    "a result without an id": `chat.answer([{ output: "x" }])`,
    "a result without an output": `chat.answer([{ id: "c1" }])`,
  })
  expect(found).toMatchInlineSnapshot(`
    {
      "a fixed text with a function": "TS2345: Argument of type '(turn: { now: Date; }) => string' is not assignable to parameter of type 'string'.",
      "a function that returns a date": "TS2345: Argument of type '(t: { now: Date; }) => Date' is not assignable to parameter of type '(turn: { now: Date; }) => SectionText'.
      Type 'Date' is not assignable to type 'SectionText'.
        Type 'Date' is missing the following properties from type 'readonly (string | TextItem)[]': length, concat, join, slice, and 26 more.",
      "a function that waits": "TS2345: Argument of type '(s: { url: string; }) => Promise<string>' is not assignable to parameter of type '(session: { url: string; }) => SectionText'.
      Type 'Promise<string>' is not assignable to type 'SectionText'.",
      "a result without an id": "TS2322: Type '{ output: string; }' is not assignable to type 'ToolResult'.
      Type '{ output: string; }' is not assignable to type '{ readonly id: string; readonly isError?: boolean | undefined; } & { readonly output: unknown; }'.
        Property 'id' is missing in type '{ output: string; }' but required in type '{ readonly id: string; readonly isError?: boolean | undefined; }'.",
      "a result without an output": "TS2322: Type '{ id: string; }' is not assignable to type 'ToolResult'.
      Type '{ id: string; }' is not assignable to type '{ readonly id: string; readonly isError?: boolean | undefined; } & { readonly text: string; }'.
        Property 'text' is missing in type '{ id: string; }' but required in type '{ readonly text: string; }'.",
      "a stable section that reads the turn": "TS2339: Property 'turn' does not exist on type '{ readonly agent: AgentView; }'.",
      "a string as a section": "TS2322: Type 'string' is not assignable to type 'PromptSection'.",
      "a whole response": "TS2345: Argument of type '{ id: string; output: { type: string; }[]; }' is not assignable to parameter of type 'ModelOutput'.",
      "always on a fixed text": "TS2322: Type '"always"' is not assignable to type '"append" | "rebuild" | "wait" | undefined'.",
      "an input of the session has the wrong type": "TS2322: Type 'string' is not assignable to type 'Note'.",
      "an input of the session is missing": "TS2345: Argument of type '{ id: string; notes: never[]; }' is not assignable to parameter of type 'ChatOptions & { notes: Note[]; plan: "free" | "paid"; }'.
      Property 'plan' is missing in type '{ id: string; notes: never[]; }' but required in type '{ notes: Note[]; plan: "free" | "paid"; }'.",
      "an input of the turn has the wrong type": "TS2322: Type 'number' is not assignable to type 'Date'.",
      "an input of the turn is missing": "TS2741: Property 'now' is missing in type '{ tasks: never[]; }' but required in type '{ tasks: string[]; now: Date; }'.",
      "an input that no section takes": "TS2353: Object literal may only specify known properties, and 'mood' does not exist in type 'ChatOptions & { notes: Note[]; plan: "free" | "paid"; }'.",
      "an unknown option": "TS2353: Object literal may only specify known properties, and 'need' does not exist in type 'SectionOptions<"stable">'.",
      "an unknown option of the prompt": "TS2353: Object literal may only specify known properties, and 'profile' does not exist in type 'PromptOptions<{}> & { readonly counter?: Counter | undefined; }'.",
      "an unknown trust": "TS2322: Type '"friend"' is not assignable to type '"familiar" | "full" | "inner" | "public" | undefined'.",
      "an update of an input that isn't there": "TS2353: Object literal may only specify known properties, and 'tasks' does not exist in type 'Partial<{ notes: Note[]; plan: "free" | "paid"; }> & ChatAudience'.",
      "append on a turn section": "TS2322: Type '"append"' is not assignable to type '"always" | "step" | "turn" | undefined'.",
      "no inputs of the turn": "TS2554: Expected 2 arguments, but got 1.",
      "right uses": "",
      "the text of an answer": "TS2345: Argument of type 'string' is not assignable to parameter of type 'ModelOutput'.",
    }
  `)
}, 60_000)

const AGENT = `import { type AgentOptions, openAgent } from "../../../src/public/agent.ts"
const plain = definePrompt({ sections: { base: text("Hi.") } })
const some = definePrompt({ sections: { plan: perSession((s: { plan: string }) => s.plan) } })
const session = () => ({ notes: [], plan: "free" as const })
const turn = async ({ message }: { message: string }) => ({ tasks: [message], now: new Date() })
`

test("the inputs of an agent are those that the sections of its prompt need", () => {
  const samples = {
    "right uses": `
      openAgent({ prompt: support, inputs: { session, turn } })
      openAgent({ prompt: support, inputs: {
        session: ({ from }) => ({ notes: [], plan: from.as === "ada" ? "paid" : "free" }),
        turn: async ({ message }) => ({ tasks: [message], now: new Date() }) } })
      openAgent({ prompt: some, inputs: { session: () => ({ plan: "free" }) } })
      openAgent({ prompt: plain, state: "state" })
      openAgent({ workspace: "." })
      const options: AgentOptions = { workspace: "." }
      openAgent({ ...options, model: "offline" })`,
    "no inputs": `openAgent({ prompt: support })`,
    "the turn's inputs are missing": `openAgent({ prompt: support, inputs: { session } })`,
    "one input of the turn is missing": `openAgent({ prompt: support, inputs: { session, turn: () => ({ tasks: [] }) } })`,
    "an input has the wrong type": `openAgent({ prompt: some, inputs: { session: ({ from }) => ({ plan: from }) } })`,
    "inputs that no section takes": `openAgent({ prompt: plain, inputs: { session } })`,
    "a prompt in a workspace": `openAgent({ prompt: plain, workspace: "." })`,
    "a prompt as the profile": `openAgent({ profile: plain })`,
    "a misspelled option": `openAgent({ prompt: plain, tols: [] })`,
  }
  const programs = Object.entries(samples).map(([name, code]) => [name, AGENT + code] as const)
  expect(errorsOf(Object.fromEntries(programs))).toMatchInlineSnapshot(`
    {
      "a misspelled option": "TS2561: Object literal may only specify known properties, but 'tols' does not exist in type 'PromptAgentOptions<{}, {}>'. Did you mean to write 'tools'?",
      "a prompt as the profile": "TS2322: Type 'DefinedPrompt<{}, {}>' is not assignable to type 'string | Profile | undefined'.",
      "a prompt in a workspace": "TS2322: Type 'string' is not assignable to type 'undefined'.",
      "an input has the wrong type": "TS2322: Type 'Sender' is not assignable to type 'string'.",
      "inputs that no section takes": "TS2322: Type '() => { notes: never[]; plan: "free"; }' is not assignable to type 'undefined'.",
      "no inputs": "TS2345: Argument of type '{ prompt: DefinedPrompt<{ notes: Note[]; plan: "free" | "paid"; }, { tasks: string[]; now: Date; }>; }' is not assignable to parameter of type 'AgentOptions | PromptAgentOptions<{ notes: Note[]; plan: "free" | "paid"; }, { tasks: string[]; now: Date; }> | undefined'.
      Type '{ prompt: DefinedPrompt<{ notes: Note[]; plan: "free" | "paid"; }, { tasks: string[]; now: Date; }>; }' is not assignable to type 'PromptAgentOptions<{ notes: Note[]; plan: "free" | "paid"; }, { tasks: string[]; now: Date; }>'.
        Property 'inputs' is missing in type '{ prompt: DefinedPrompt<{ notes: Note[]; plan: "free" | "paid"; }, { tasks: string[]; now: Date; }>; }' but required in type '{ readonly inputs: PromptInputSource<NoInfer<{ notes: Note[]; plan: "free" | "paid"; }>, NoInfer<{ ...; }>>; }'.",
      "one input of the turn is missing": "TS2322: Type '{ tasks: never[]; }' is not assignable to type 'Promise<NoInfer<{ tasks: string[]; now: Date; }>> | NoInfer<{ tasks: string[]; now: Date; }>'.
      Property 'now' is missing in type '{ tasks: never[]; }' but required in type '{ tasks: string[]; now: Date; }'.",
      "right uses": "",
      "the turn's inputs are missing": "TS2322: Type '{ session: () => { notes: never[]; plan: "free"; }; }' is not assignable to type 'PromptInputSource<NoInfer<{ notes: Note[]; plan: "free" | "paid"; }>, NoInfer<{ tasks: string[]; now: Date; }>>'.
      Property 'turn' is missing in type '{ session: () => { notes: never[]; plan: "free"; }; }' but required in type '{ readonly turn: Answer<InputQuestion & { readonly message: string; }, NoInfer<{ tasks: string[]; now: Date; }>>; }'.",
    }
  `)
}, 60_000)

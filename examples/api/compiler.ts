// `incipit/compiler` in use: the compiler without the token table, for a browser that brings its own counter.
import {
  type CompilerOptions,
  compile,
  counterFrom,
  createCompiler,
  definePrompt,
  section,
  tags,
  text,
} from "incipit/compiler"

// About four characters to a token: good enough for a budget, and nothing to download.
const counter = counterFrom("characters", (words) => Math.ceil(words.length / 4))
const hello = section({
  id: "hello",
  pace: "stable",
  priority: "required",
  build: () => "Hello from a page.",
})

const options: CompilerOptions = {
  profile: { name: "page", order: "paced", markup: tags, sections: [hello] },
  counter,
}
const agent = { id: "main", files: [], tools: [], extensions: [] }
const session = {
  id: "page",
  files: [],
  audience: { trust: "public", situation: "dm", mode: "full" },
} as const
const turn = { id: "turn-1", now: 0, timeZone: "UTC" }

const prompt = createCompiler(options).head(agent, session).step(turn)
console.log(prompt.text)

const { plan } = compile(options.profile, { agent, session, turn }, { counter })
console.log(
  plan.entries.map(({ id, tokens }) => `${id}: ${tokens} tokens of ${plan.budget.counter}`).join("\n"),
)

// The short way in, with the same counter.
const chat = definePrompt({ counter, sections: { hello: text("Hello from a page.") } }).open({ id: "page" })
chat.say("Who are you?")
console.log(chat.openai("gpt-5.2").input.length, "items")

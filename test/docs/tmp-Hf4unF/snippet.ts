import { attach, createCompiler, o200k, userMessage } from "incipit"
import { callOf, planBreakpoints, ruleFor, simulate, verify } from "incipit/cache"
import { incipit } from "incipit/profiles"
import { gatherAgent, gatherSession, openWorkspace } from "incipit/sources"

const workspace = openWorkspace("examples/lighthouse")
const head = createCompiler({ profile: incipit, counter: o200k }).head(
  gatherAgent(workspace).value,
  gatherSession(workspace).value,
)
const prompt = head.step({ id: "turn-1", now: 0, timeZone: "UTC" })
const messages = attach([userMessage("Does the boat run on Tuesday?")], prompt.tail)

const rule = ruleFor("anthropic/claude-sonnet-5-5")
const breakpoints = planBreakpoints(prompt, messages, { rule })
const call = callOf(prompt, messages, { counter: o200k, breakpoints, at: 0, output: 200 })

console.log(verify(call, { rule })) // { refused: [], uncached: [] }
console.log(simulate([call, { ...call, at: 60_000 }], { rule }).hitRatio) // 0.5: the second call reads all

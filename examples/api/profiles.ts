// Every name of `incipit/profiles` in use: the bundled layouts, their inputs, and the parts for a profile of your own.
import { join } from "node:path"
import { compile, feed, firstOf, type Profile, section, sentence, tags } from "incipit"
import {
  adjustProfile,
  bulletinInput,
  clockText,
  communicationInput,
  contextContent,
  coop,
  environmentContent,
  filesContent,
  gitContent,
  guidelines,
  identityContent,
  incipit,
  joined,
  memoryContent,
  moltis,
  nova,
  osa,
  osaBefore,
  pi,
  recallInput,
  remainingInput,
  signalInput,
  skillsContent,
  TOOL_CALL_FORMAT,
  tasksInput,
  toolDefinition,
  toolLine,
  userContent,
  workflowInput,
} from "incipit/profiles"
import { gatherAgent, gatherSession, openWorkspace } from "incipit/sources"

const workspace = openWorkspace(join(import.meta.dirname, "..", "lighthouse"))
const agent = gatherAgent(workspace, { tools: (incipit.tools ?? []).slice(0, 3) }).value
const session = gatherSession(workspace).value
const turn = { id: "turn-1", now: Date.UTC(2026, 5, 15, 7), timeZone: "UTC" }

// The same folder in six layouts.
for (const profile of [incipit, pi, nova, moltis, osa, osaBefore, coop]) {
  const { head } = compile(profile, { agent, session, turn })
  console.log(
    profile.name,
    head.reduce((sum, { tokens }) => sum + tokens, 0),
    "tokens",
  )
}

// What a running agent feeds into the default layout. Leave out what you don't have.
const inputs = {
  ...feed(recallInput, ["The winch was greased on Monday."]),
  ...feed(tasksInput, [{ id: "1", title: "Paint the door", steps: [{ title: "Buy paint", done: true }] }]),
  ...feed(workflowInput, { name: "Lamp check", steps: ["Clean", "Light"], current: 2, notes: [] }),
  ...feed(communicationInput, { formality: "casual", topics: ["boats"] }),
  ...feed(bulletinInput, ["Fog is forecast."]),
  ...feed(signalInput, false),
  ...feed(remainingInput, 120_000),
}
console.log(compile(incipit, { agent, session, turn: { ...turn, inputs } }).tail?.text)

// What `prompt:` in incipit.yaml does.
const { profile: quiet, diagnostics } = adjustProfile(incipit, {
  sections: { git: "off", soul: { priority: "high" }, motto: { text: "Leave the lamp as you found it." } },
  order: ["identity", "nowhere"],
})
console.log(
  quiet.sections.slice(0, 3).map(({ id }) => id),
  diagnostics.map(sentence),
)

// Your own profile from the same parts. A part returns undefined if its section has no text.
const identity = section({
  id: "identity",
  pace: "stable",
  build: (scope) => identityContent(firstOf(scope.agent.files, "identity")),
})

const tools = section({
  id: "tools",
  pace: "stable",
  build: ({ agent: { tools } }) => [...tools.map(toolLine), ...guidelines(tools)].join("\n"),
})

const skills = section({
  id: "skills",
  pace: "stable",
  build: (scope) => skillsContent(scope.agent.skills ?? [], "read"),
})

const memory = section({
  id: "memory",
  pace: "stable",
  build: (scope) => memoryContent(scope.agent.memory ?? [], scope.agent.tools),
})

const user = section({
  id: "user",
  pace: "session",
  build: (scope) => userContent(firstOf(scope.agent.files, "user")),
})

const context = section({
  id: "context",
  pace: "session",
  build: (scope) => contextContent(scope.session.files),
})

const machine = section({
  id: "machine",
  pace: "session",
  build: () => environmentContent({ os: "linux", shell: "bash" }),
})

// Parts of several kinds in one section, separated by blank lines.
const now = section({
  id: "now",
  pace: "turn",
  onChange: "always",
  build: (scope) =>
    joined([
      { text: clockText(scope.turn.now, scope.turn.timeZone) },
      ...(gitContent({ branch: "main", dirty: 2, commits: ["1a2b3c4 paint the door"] })?.parts ?? []),
    ]),
})

const sections = [identity, tools, skills, memory, user, context, machine, now]
const own: Profile = { name: "own", order: "paced", markup: tags, sections }
console.log(
  compile(own, { agent, session, turn }).plan.entries.map(({ id, outcome }) => `${id} ${outcome.kind}`),
)

// Whole files, each in a tag with its path.
console.log(filesContent(agent.files.slice(0, 1))?.parts.length, "parts")

// For a model without tool calling, definitions are text.
console.log([TOOL_CALL_FORMAT, ...agent.tools.slice(0, 1).map(toolDefinition)].join("\n\n"))

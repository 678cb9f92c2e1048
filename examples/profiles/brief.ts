// A custom profile: who the agent is, what it may do, whom it talks to, and the time.
// `incipit build --profile examples/profiles/brief.ts`, or `profile: ./brief.ts` in incipit.yaml and `incipit hooks approve`.
import { firstOf, section, tags, textContent } from "incipit"
import { clockText, identityContent, toolLine, userContent } from "incipit/profiles"

const facts = { priority: "high", trust: "public", cut: "lines" } as const

export default {
  name: "brief",
  order: "paced",
  markup: tags,
  sections: [
    section({
      id: "rule",
      pace: "stable",
      ...facts,
      priority: "required",
      build: () => textContent("Answer in one sentence."),
    }),
    section({
      id: "identity",
      pace: "stable",
      ...facts,
      build: ({ agent }) => identityContent(firstOf(agent.files, "identity")),
    }),
    section({
      id: "tools",
      pace: "stable",
      ...facts,
      build: ({ agent }) => textContent(agent.tools.map(toolLine).join("\n")),
    }),
    section({
      id: "user",
      pace: "session",
      ...facts,
      build: ({ agent }) => userContent(firstOf(agent.files, "user")),
    }),
    section({
      id: "clock",
      pace: "turn",
      ...facts,
      onChange: "always",
      build: ({ turn }) => textContent(clockText(turn.now, turn.timeZone)),
    }),
  ],
} as const

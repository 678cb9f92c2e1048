// A custom profile: who the agent is, what it may do, whom it talks to, and the time.
// `incipit build --profile examples/profiles/brief.ts`, or `profile: ./brief.ts` in incipit.yaml and `incipit hooks approve`.
import { firstOf, type Profile, section } from "incipit"
import { clockText, identityContent, toolLine, userContent } from "incipit/profiles"

const profile: Profile = {
  name: "brief",
  sections: [
    section({
      id: "rule",
      pace: "stable",
      priority: "required",
      build: () => "Answer in one sentence.",
    }),
    section({
      id: "identity",
      pace: "stable",
      priority: "high",
      build: ({ agent }) => identityContent(firstOf(agent.files, "identity")),
    }),
    section({
      id: "tools",
      pace: "stable",
      priority: "high",
      build: ({ agent }) => agent.tools.map(toolLine).join("\n"),
    }),
    section({
      id: "user",
      pace: "session",
      priority: "high",
      build: ({ agent }) => userContent(firstOf(agent.files, "user")),
    }),
    section({
      id: "clock",
      pace: "turn",
      priority: "high",
      onChange: "always",
      build: ({ turn }) => clockText(turn.now, turn.timeZone),
    }),
  ],
}
export default profile

// The turn sections of the `incipit` profile, sent with the message that opens a turn.
import { section } from "../../core/model/section.ts"
import { notInMode, unused } from "../../core/view/unused.ts"
import { GIT_TRUST } from "../../core/view/view.ts"
import { clockText, gitContent } from "../parts.ts"
import { PLAN_MODE } from "./text.ts"

export const planMode = section({
  id: "plan-mode",
  pace: "turn",
  voice: "operator",
  priority: "required",
  trust: "public",
  cut: "whole",
  build: ({ turn }) => (turn.planMode === true ? PLAN_MODE : unused({ kind: "no-fact", fact: "plan-mode" })),
})

export const git = section({
  id: "git",
  pace: "turn",
  priority: "medium",
  trust: GIT_TRUST,
  cut: "lines",
  build: ({ agent, turn }) =>
    agent.mode === "minimal"
      ? notInMode(agent.mode)
      : (gitContent(turn.git) ?? unused({ kind: "no-fact", fact: "git" })),
})

export const clock = section({
  id: "clock",
  pace: "turn",
  voice: "operator",
  priority: "required",
  trust: "public",
  cut: "whole",
  onChange: "always",
  build: ({ turn }) => clockText(turn.now, turn.timeZone),
})

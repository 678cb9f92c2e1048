import { expect, test } from "vitest"
import { warmIncipit as incipit, transcript } from "../run.ts"

const SAMPLE = [
  "--workspace",
  "examples/lighthouse",
  "--cwd",
  "/island",
  "--now",
  "2026-06-15T09:00:00+02:00",
]
const TOOLS = ["--tools", "examples/lighthouse/tools.json"]

const CASES: Readonly<Record<string, readonly string[]>> = {
  "build-owner": ["build", ...SAMPLE, ...TOOLS],
  "build-owner-text": ["build", "--text", ...SAMPLE, ...TOOLS],
  "build-owner-json": ["build", "--json", ...SAMPLE, ...TOOLS],
  "build-owner-annotated": ["build", "--annotated", ...SAMPLE],
  "build-friend-in-group-text": [
    "build",
    "--text",
    "--as",
    "mirela",
    "--in",
    "group",
    "--channel",
    "telegram:4713",
    ...SAMPLE,
  ],
  "build-friend-in-group": ["build", "--as", "mirela", "--in", "group", ...SAMPLE],
  "build-inner-text": ["build", "--text", "--as", "jonas", ...SAMPLE, ...TOOLS],
  "build-by-channel": ["build", "--channel", "telegram:4712", ...SAMPLE],
  "build-without-tools": ["build", "--tools", "none", ...SAMPLE],
  "build-stranger": ["build", "--channel", "telegram:9999", ...SAMPLE],
  "build-stranger-text": ["build", "--text", "--channel", "telegram:9999", ...SAMPLE],
  "build-heartbeat-text": ["build", "--text", "--in", "system", "--background", ...SAMPLE, ...TOOLS],
  "build-minimal-text": ["build", "--text", "--mode", "minimal", ...SAMPLE, ...TOOLS],
  "build-subagent-text": ["build", "--text", "--mode", "subagent", ...SAMPLE, ...TOOLS],
  "build-plan-text": ["build", "--text", "--plan", "--model", "openai/gpt-5.2", ...SAMPLE],
  "build-small-budget": ["build", "--budget", "3300", ...SAMPLE],
  "build-small-budget-text": ["build", "--text", "--budget", "2400", ...SAMPLE, ...TOOLS],
  "build-tiny-budget": ["build", "--budget", "900", "--strict", ...SAMPLE],
  skills: ["skills", ...SAMPLE],
  "skills-of-a-stranger": ["skills", "--json", "--channel", "telegram:1", ...SAMPLE],
  config: ["config", "--workspace", "examples/lighthouse", "--model", "openai/gpt-5.2"],
  "config-json": ["config", "--json", "--workspace", "examples/lighthouse"],
  check: ["check", ...SAMPLE, ...TOOLS],
  "check-without-tools": ["check", "--strict", ...SAMPLE],
  "check-leak": ["check", "--leak", "full:group,inner:group", ...SAMPLE, ...TOOLS],
  "check-leak-found": ["check", "--leak", "familiar:group", ...SAMPLE, ...TOOLS],
  "check-budget": ["check", "--budget", "1000", ...SAMPLE, ...TOOLS],
  "explain-section": ["explain", "behaviour", ...SAMPLE],
  "explain-tool": ["explain", "tide_window", ...SAMPLE, ...TOOLS],
  "explain-file": ["explain", "rules/safety.md", ...SAMPLE],
  "explain-skill": ["explain", "skills/tide-window/SKILL.md", ...SAMPLE, ...TOOLS],
  "explain-skill-without-tools": ["explain", "skills/tide-window/SKILL.md", "--tools", "none", ...SAMPLE],
  "explain-skill-in-minimal-mode": [
    ...["explain", "skills/tide-window/SKILL.md", "--mode", "minimal"],
    ...SAMPLE,
    ...TOOLS,
  ],
  "explain-withheld-file": ["explain", "USER.md", "--as", "mirela", ...SAMPLE],
  "explain-absent-section": ["explain", "heartbeat", ...SAMPLE],
  "explain-dropped-section": ["explain", "rules", "--budget", "900", ...SAMPLE],
  "explain-text": ["explain", "tide table", ...SAMPLE],
  "explain-text-json": ["explain", "tide table", "--json", ...SAMPLE],
  "explain-text-of-withheld-file": ["explain", "lighthouse lady", "--as", "mirela", ...SAMPLE],
  "explain-nothing": ["explain", "no such thing", ...SAMPLE],
}

test.each(Object.entries(CASES))("%s", async (name, args) => {
  await expect(transcript(args, incipit(args))).toMatchFileSnapshot(`../../golden/cli/${name}.txt`)
})

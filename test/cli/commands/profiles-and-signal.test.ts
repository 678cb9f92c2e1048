import { expect, test } from "vitest"
import { warmIncipit as incipit, transcript } from "../run.ts"

const NOW = ["--cwd", "/island", "--now", "2026-06-15T07:00:00Z"]
const SAMPLE = ["--workspace", "examples/lighthouse", ...NOW]

const CASES: Readonly<Record<string, readonly string[]>> = {
  "profile-coop": ["build", "--profile", "coop", ...SAMPLE],
  "profile-pi": ["build", "--profile", "pi", ...SAMPLE],
  "profile-osa": [
    "build",
    "--profile",
    "osa",
    ...SAMPLE,
    "--home",
    "test/fixtures/osa/home",
    "--message",
    "fix it",
  ],
  "custom-profile": ["build", "--profile", "examples/profiles/brief.ts", ...SAMPLE],
  "profile-unknown": ["build", "--profile", "pie", ...SAMPLE],
  "compare-osa": ["build", "--compare", "osa", ...SAMPLE],
  "compare-json": ["build", "--profile", "pi", "--compare", "moltis", "--json", ...SAMPLE],
  signal: ["signal", "please build a new page!", "--channel", "telegram:42"],
  "signal-json": ["signal", "is it urgent?", "--json"],
  "signal-noise": ["signal", "ok"],
  "signal-many-words": ["signal", "please", "fix", "it"],
  "signal-answer": ["signal", "ok", "--after-question"],
}

test.each(Object.entries(CASES))("%s", async (name, args) => {
  await expect(transcript(args, incipit(args))).toMatchFileSnapshot(`../../golden/cli/${name}.txt`)
})

/** Their texts hold absolute paths, whose length differs from machine to machine. */
test.each([
  [
    ["--profile", "moltis", ...SAMPLE, "--home", "test/fixtures/moltis/home"],
    ["intro", "identity", "soul", "user", "runtime", "skills", "workspace-files", "guidelines"],
  ],
  [
    ["--profile", "nova", "--workspace", "test/fixtures/nova", "--agent", "nova", ...NOW],
    ["identity", "instructions", "responsibilities", "directories", "storage", "context", "memories"],
  ],
])("the sections of %j", (flags, ids) => {
  const { stdout } = incipit(["build", "--json", ...flags])
  const sections: { id: string; outcome: { kind: string } }[] = JSON.parse(stdout).sections
  const kept = sections.filter(({ outcome }) => outcome.kind === "included").map(({ id }) => id.split("/")[1])
  expect(kept).toEqual(ids)
})

// One prompt, one clock: it uses the time zone that the prompt names for the user or for the machine, and only for an
// audience that may see that.
import { expect, test } from "vitest"
import { isTimeZone } from "../../../src/base/clock-face.ts"
import type { Trust } from "../../../src/base/trust.ts"
import { compile, createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Session } from "../../../src/core/model/inputs.ts"
import type { SourceFile } from "../../../src/core/model/source.ts"
import { coop } from "../../../src/profiles/coop/coop.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { makeFile } from "../make.ts"

const TURN = { id: "t", now: Date.UTC(2026, 5, 15, 7), timeZone: "UTC" }

interface Given {
  readonly own?: string | number
  readonly personal?: string
  readonly environment?: string
  readonly trust?: Trust
  readonly person?: string
}

function user(timezone: string | number | undefined): readonly SourceFile[] {
  const path = `USER-${timezone}.md`
  return timezone === undefined
    ? []
    : [{ ...makeFile({ role: "user", path, trust: "inner", text: "" }), fields: { timezone } }]
}

function input({ own, personal, environment, trust = "full", person }: Given) {
  const session: Session = {
    id: "s",
    files: user(personal),
    audience: { trust, situation: "dm", mode: "full" },
    ...(person !== undefined && { person }),
    ...(environment !== undefined && { environment: { timezone: environment } }),
  }
  return { agent: { id: "main", files: user(own), tools: [], extensions: [] }, session, turn: TURN }
}

function clock(given: Given): string {
  const { text } = compile(incipit, input(given), { counter: o200k })
  return /<clock>\n.*?, (\d\d:\d\d \(.*\))\n/.exec(text)?.[1] ?? ""
}

test.each<[string, Given, string]>([
  ["no source", {}, "07:00 (UTC)"],
  ["the user's file", { own: "Europe/Stockholm" }, "09:00 (Europe/Stockholm)"],
  ["the environment", { environment: "Asia/Tokyo" }, "16:00 (Asia/Tokyo)"],
  ["both", { own: "Europe/Stockholm", environment: "Asia/Tokyo" }, "09:00 (Europe/Stockholm)"],
  [
    "a person's own file",
    { own: "Europe/Stockholm", personal: "Asia/Tokyo", person: "jonas" },
    "16:00 (Asia/Tokyo)",
  ],
  ["another person's file", { own: "Europe/Stockholm", person: "jonas" }, "07:00 (UTC)"],
  ["a hidden file", { personal: "Asia/Tokyo", person: "jonas", trust: "familiar" }, "07:00 (UTC)"],
  ["hidden facts", { environment: "Asia/Tokyo", trust: "public" }, "07:00 (UTC)"],
  ["an unknown zone", { own: "Lighthouse/Time", environment: "Asia/Tokyo" }, "16:00 (Asia/Tokyo)"],
  ["a value that isn't text", { own: 2 }, "07:00 (UTC)"],
])("the clock with the zone of %s", (_name, given, expected) => {
  expect(clock(given)).toBe(expected)
})

test("the clock is in the tail, so a changed zone leaves the head's bytes alone", () => {
  const blocks = (environment: string) => {
    const { agent, session, turn } = input({ environment })
    const head = createCompiler({ profile: incipit, counter: o200k }).head(agent, session)
    return { head: head.blocks.map(({ text }) => text).join(""), all: head.step(turn).text }
  }
  const [utc, tokyo] = [blocks("UTC"), blocks("Asia/Tokyo")]
  expect(tokyo.head.replaceAll("Asia/Tokyo", "UTC")).toBe(utc.head)
  expect([utc.all, tokyo.all].map((text) => text.includes("16:00"))).toEqual([false, true])
})

test("the clocks of other profiles use the zone too", () => {
  const { text } = compile(coop, input({ own: "Europe/Stockholm" }), { counter: o200k })
  expect(text).toContain("2026-06-15 09:00 Europe/Stockholm")
})

test("recognises time zones", () => {
  expect(["UTC", "Europe/Stockholm", "Mars/Base", "", 7, undefined].map(isTimeZone)).toEqual([
    ...[true, true],
    ...[false, false, false, false],
  ])
})

// One prompt, one clock: it shows the zone that the prompt names for the user, or for the machine, and only to those who
// are told that.
import { expect, test } from "vitest"
import { isTimeZone } from "../../../src/base/clock-face.ts"
import type { Trust } from "../../../src/base/trust.ts"
import { compile, createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Session } from "../../../src/core/model/scope.ts"
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
  ["nobody says", {}, "07:00 (UTC)"],
  ["the user's file", { own: "Europe/Stockholm" }, "09:00 (Europe/Stockholm)"],
  ["the environment", { environment: "Asia/Tokyo" }, "16:00 (Asia/Tokyo)"],
  ["both", { own: "Europe/Stockholm", environment: "Asia/Tokyo" }, "09:00 (Europe/Stockholm)"],
  [
    "a person's own file",
    { own: "Europe/Stockholm", personal: "Asia/Tokyo", person: "jonas" },
    "16:00 (Asia/Tokyo)",
  ],
  ["somebody else's file", { own: "Europe/Stockholm", person: "jonas" }, "07:00 (UTC)"],
  ["a file that is not shown", { personal: "Asia/Tokyo", person: "jonas", trust: "familiar" }, "07:00 (UTC)"],
  ["facts that are not told", { environment: "Asia/Tokyo", trust: "public" }, "07:00 (UTC)"],
  ["no such zone", { own: "Lighthouse/Time", environment: "Asia/Tokyo" }, "16:00 (Asia/Tokyo)"],
  ["no text", { own: 2 }, "07:00 (UTC)"],
])("the clock by %s", (_name, given, expected) => {
  expect(clock(given)).toBe(expected)
})

test("the clock is in the tail: a zone that changes leaves the head's bytes alone", () => {
  const blocks = (environment: string) => {
    const { agent, session, turn } = input({ environment })
    const head = createCompiler({ profile: incipit, counter: o200k }).head(agent, session)
    return { head: head.blocks.map(({ text }) => text).join(""), all: head.step(turn).text }
  }
  const [utc, tokyo] = [blocks("UTC"), blocks("Asia/Tokyo")]
  expect(tokyo.head.replaceAll("Asia/Tokyo", "UTC")).toBe(utc.head)
  expect([utc.all, tokyo.all].map((text) => text.includes("16:00"))).toEqual([false, true])
})

test("other profiles' clocks move, too", () => {
  const { text } = compile(coop, input({ own: "Europe/Stockholm" }), { counter: o200k })
  expect(text).toContain("2026-06-15 09:00 Europe/Stockholm")
})

test("what is a zone", () => {
  expect(["UTC", "Europe/Stockholm", "Mars/Base", "", 7, undefined].map(isTimeZone)).toEqual([
    ...[true, true],
    ...[false, false, false, false],
  ])
})

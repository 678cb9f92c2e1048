// Saved reports that somebody else has edited, opened with `incipit inspect` in the real browser.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { parseReport } from "../../src/serve/api/compile/report-schema.ts"
import { inspecting } from "../cli/commands/inspected.ts"
import { widerThanWindow } from "./axe.ts"
import { openPage } from "./browser.ts"
import { expectHarmless, HOSTILE, TALL } from "./hostile.ts"
import { openWhatIfWorld } from "./what-if-world.ts"

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** The report of a real prompt, with much that is withheld and not used. */
async function realReport(): Promise<Json> {
  const world = await openWhatIfWorld()
  const { report: made } = await world.input({ user: null, situation: "group" })
  return JSON.parse(JSON.stringify(made)) as Json
}

/** Each string, or each number, replaced wherever a report may have it. */
function replaced(whole: Json, kind: "string" | "number", by: string | number): Json {
  const places: (readonly (string | number)[])[] = []
  const walk = (value: Json, place: readonly (string | number)[]): void => {
    if (typeof value === kind) places.push(place)
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value))
        walk(inner as Json, [...place, Array.isArray(value) ? Number(key) : key])
  }
  walk(whole, [])
  let now = whole
  for (const place of places) {
    const next = structuredClone(now)
    let inner: Record<string | number, unknown> = next as Record<string, unknown>
    for (const key of place.slice(0, -1)) inner = inner[key] as Record<string, unknown>
    const last = place.at(-1) ?? ""
    if (last === "text" && place[0] === "blocks") continue
    inner[last] = by
    if (parseReport(next) !== undefined) now = next
  }
  return now
}

async function inspected(value: Json | string): Promise<Page> {
  const folder = mkdtempSync(join(tmpdir(), "incipit-hostile-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, "home"))
  const file = join(folder, "prompt.json")
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value))
  const { url, shown } = await inspecting({ cwd: folder, home: join(folder, "home"), words: [file] })
  const code = new URL(shown().out.trim()).searchParams.get("code") ?? ""
  const { page } = await openPage({ url, code, at: "/?view=prompt" })
  await page.locator(".sections").waitFor()
  return page
}

/** Chooses every row of the list, so that everything about it is shown. */
async function pressAll(page: Page): Promise<void> {
  for (const row of await page.locator(".sections button.row").all())
    if (await row.isVisible()) await row.click()
}

test("hostile names in every field of a report are names", async () => {
  const whole = await realReport()
  for (const text of [HOSTILE, TALL]) {
    const page = await inspected(replaced(whole, "string", text))
    await pressAll(page)
    await expectHarmless(page)
    expect(await widerThanWindow(page)).toEqual([])
  }
})

test("numbers that no prompt has leave the page as it is", async () => {
  const whole = await realReport()
  for (const number of [0, Number.MAX_SAFE_INTEGER]) {
    const page = await inspected(replaced(whole, "number", number))
    await pressAll(page)
    await expectHarmless(page)
    expect(await page.locator("main").innerText()).not.toMatch(/NaN|Infinity|undefined/)
  }
})

test("reasons of another version, and reasons that lack a part, are shown by their kind", async () => {
  const whole = await realReport()
  const kinds = ["no-file", "depends", "constructor", "__proto__", "from-the-future", "stored"]
  const next = structuredClone(whole) as { sections: { outcome: unknown }[]; withheld: unknown[] }
  const unused = next.sections.filter(({ outcome }) => (outcome as { kind: string }).kind === "unused")
  for (const [at, kind] of kinds.entries()) unused[at]!.outcome = { kind: "unused", why: { kind } }
  next.withheld = ["constructor", "__proto__", "tomorrow", "trust"].map((why, at) => ({
    ...{ path: `__proto__/${at}`, role: "soul", why, needs: "full" },
  }))
  const page = await inspected(next as unknown as Json)
  await pressAll(page)
  const text = await page.locator(".sections").innerText()
  for (const words of [
    "not used: no file",
    "not used: from the future",
    "withheld: tomorrow",
    "withheld: needs full trust",
  ])
    expect(text).toContain(words)
})

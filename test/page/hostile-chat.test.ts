// Hostile people, models and tools in the chat: nothing runs or loads, names are names, no answer is given by accident,
// and no text makes the page stand still.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { IS_LONG } from "../long.ts"
import { widerThanWindow } from "./axe.ts"
import { openChatWorld } from "./chat-world.ts"
import { expectHarmless, HOSTILE, TALL } from "./hostile.ts"

const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }

test("hostile messages, tools, inputs, results and titles run nothing and look like nothing else", async () => {
  const world = await openChatWorld({
    files: { ...INSTRUCTIONS, "bad.md": `${HOSTILE}\n${TALL}` },
    script: ({ results }) =>
      results.length === 0
        ? [
            { name: "read", input: { path: "bad.md" } },
            { name: "read", input: { path: HOSTILE } },
            { name: "grep", input: { pattern: HOSTILE, path: TALL } },
          ]
        : `${HOSTILE}\n\n${TALL}\n\n> ${HOSTILE}\n\n| ${HOSTILE} |\n|---|\n| ${TALL} |\n\n\`\`\`${HOSTILE}\n${HOSTILE}\n\`\`\``,
  })
  for (const width of [1280, 360]) {
    const { page, ask, settled } = await world.page({ width })
    await ask(`${HOSTILE} ${TALL} ${width}`)
    for (const tool of await page.locator(".tool summary").all()) await tool.click()
    await expectHarmless(page)
    expect(await widerThanWindow(page)).toEqual([])
    await page.reload()
    await settled(1)
    await expectHarmless(page)
    // What a name reads like is the same in the search.
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").fill("img")
    await expectHarmless(page)
  }
})

test("a link says where it leads, whatever its text says", async () => {
  const links = [
    "[bank.example](https://evil.example/x)",
    "[https://bank.example/login](https://evil.example/x)",
    "[https://bank.example](https://bank.example@evil.example/)",
    "[b\u0430nk.example](https://b\u0430nk.example/)",
    "[bank.example](https://bank.example/login)",
    "[the bank](https://bank.example/)",
    "https://bank.example/a_b",
    "[bank\u200b.example](https://evil.example/x)",
    "[ba\u202enk.ex\u00adample](https://evil.example/x)",
  ]
  const world = await openChatWorld({ files: INSTRUCTIONS, script: () => links.join("\n\n") })
  const { ask, answer } = await world.page()
  await ask("links")
  expect(await answer.getByRole("link").allInnerTexts()).toEqual([
    "bank.example (evil.example)",
    "https://bank.example/login (evil.example)",
    "https://bank.example (evil.example)",
    "b\u0430nk.example (xn--bnk-6cd.example)",
    ...["bank.example", "the bank", "https://bank.example/a_b"],
    "bank\u200b.example (evil.example)",
    "ba‹U+202E›nk.ex\u00adample (evil.example)",
  ])
  expect(await answer.getByRole("link").nth(3).getAttribute("title")).toBe("https://xn--bnk-6cd.example/")
})

test("the second click of a double click, and a key that is held down, answer no second question", async () => {
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ results }) =>
      results.length < 3 ? [{ name: "shell", input: { command: `touch lit-${results.length}` } }] : "Lit.",
  })
  const { page, say, settled } = await world.page()
  const card = page.getByRole("region", { name: "Approval" })
  const asked = (at: number) => card.getByText(`touch lit-${at}`)
  await say("light the lamp")
  await asked(0).waitFor()
  const box = await card.getByRole("button", { name: "Yes" }).boundingBox()
  const [x, y] = [box!.x + box!.width / 2, box!.y + box!.height / 2]
  await page.mouse.click(x, y)
  await asked(1).waitFor()
  await page.mouse.move(x, y)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  expect(await card.getByRole("button", { name: "Yes" }).isEnabled()).toBe(true)
  await page.getByRole("group", { name: "Conversation" }).focus()
  await page.keyboard.down("y")
  await asked(2).waitFor()
  for (let held = 0; held < 20; held += 1) await page.keyboard.down("y")
  await page.keyboard.up("y")
  await card.getByRole("button", { name: "No" }).click()
  await settled(1)
  expect([0, 1, 2].map((at) => existsSync(join(world.workspace, `lit-${at}`)))).toEqual([true, true, false])
})

test("what is far down or looks empty is spelled out in a question", async () => {
  const command = `ls\u00a0-l\u2800\u034f${" ".repeat(300)}# done${"\n".repeat(200)}touch lit`
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ results }) => (results.length === 0 ? [{ name: "shell", input: { command } }] : "No."),
  })
  const { page, say, settled } = await world.page()
  const card = page.getByRole("region", { name: "Approval" })
  await say("light the lamp")
  await card.waitFor()
  const text = await card.getByRole("group", { name: "What is asked" }).evaluate((box) => box.textContent)
  expect(text).toBe("lsU+00A0-lU+2800U+034F[300 blanks]# done\n[199 empty lines]\ntouch lit")
  await card.getByRole("button", { name: "No" }).click()
  await settled(1)
  expect(existsSync(join(world.workspace, "lit"))).toBe(false)
})

test("what is not seen is spelled out in inputs, results and code, and what turns a text everywhere", async () => {
  const hidden = "a\u202eb\u200bc\u{e0041}d\u2800e"
  const code = "a‹U+202E›b‹U+200B›c‹U+E0041›d‹U+2800›e"
  const said = "a‹U+202E›b\u200bc‹U+E0041›d\u2800e"
  const world = await openChatWorld({
    files: { ...INSTRUCTIONS, "bad.md": hidden },
    script: ({ results }) =>
      results.length === 0
        ? [
            { name: "read", input: { path: "bad.md" } },
            { name: "grep", input: { pattern: hidden, path: "." } },
          ]
        : `${hidden} x&#x202e;y&#8294;z \u2764\ufe0f \`${hidden}\`\n\n\`\`\`\n${hidden} \u2764\ufe0f\n\`\`\``,
  })
  const { page, ask, answer } = await world.page()
  await ask(hidden)
  for (const tool of await page.locator(".tool summary").all()) await tool.click()
  const texts = (of: string) => page.locator(of).evaluateAll((found) => found.map((one) => one.textContent))
  // The server takes tags out of what people say.
  expect(await texts(".said-text")).toEqual([said.replace("‹U+E0041›", "")])
  const long = await texts(".long")
  expect(long.join("\n")).not.toMatch(/[\u202e\u200b\u2800\u{e0041}]/u)
  expect(long[1]).toContain(code)
  expect(long[2]).toContain("a‹U+202E›b")
  expect(await answer.locator("p").textContent()).toBe(`${said} x‹U+202E›y‹U+2066›z \u2764\ufe0f ${code}`)
  expect(await answer.locator("pre").textContent()).toBe(`${code} \u2764\ufe0f\n`)
})

/** Each takes a reader of Markdown seconds or minutes, and grows with the square of its length. */
const ENDLESS: Readonly<Record<string, string>> = {
  lazy: `- ${"a\n".repeat(20_000)}`,
  indented: `- a\n${"  b\n".repeat(15_000)}`,
  interrupted: "> a\nb\n".repeat(8_000),
  stars: `${"* ".repeat(20_000)}x`,
  numbers: "1. ".repeat(16_000),
  marks: `a${"\u0301".repeat(99_000)}`,
  wide: "W".repeat(400_000),
}

/** Each takes seconds to draw: all of them are in `npm run soak`. */
const DRAWN = IS_LONG ? Object.keys(ENDLESS) : ["lazy", "wide"]

test("no text makes the page stand still", async () => {
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ message }) => ENDLESS[message] ?? "no such text",
  })
  for (const name of DRAWN) {
    // A conversation of its own: what was said before is not read again.
    const { page, ask, answer } = await world.page()
    await page.evaluate(() => {
      const own = globalThis as unknown as { longest: number }
      own.longest = 0
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) own.longest = Math.max(own.longest, duration)
      }).observe({ type: "longtask" })
    })
    await ask(name)
    const length = await answer.evaluate((element) => element.textContent?.length ?? 0)
    expect([name, length > 10_000]).toEqual([name, true])
    // Not a measure of speed: read as Markdown, the first of them takes minutes here.
    const longest = await page.evaluate(() => (globalThis as unknown as { longest: number }).longest)
    expect([name, longest < 10_000]).toEqual([name, true])
    expect(await widerThanWindow(page)).toEqual([])
  }
})

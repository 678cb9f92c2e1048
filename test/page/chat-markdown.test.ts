// What models and tools write is never markup of the page: hostile Markdown, hostile results, huge and broken texts.
import type { Locator } from "playwright-core"
import { expect, test } from "vitest"
import { openChatWorld } from "./chat-world.ts"

const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }

const HOSTILE: readonly string[] = [
  "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 1'>",
  "<svg/onload=window.pwned=1><math><mtext></form><form><mglyph><style></math><img src onerror=window.pwned=1>",
  "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe><base href=https://evil.example/>",
  "[a](javascript:window.pwned=1) [b](JaVaScRiPt:window.pwned=1) [c](data:text/html,x) [d](vbscript:x) [e](/logout)",
  "[f](\u0001javascript:window.pwned=1) [g](java\tscript:1) [h](&#106;avascript:1) <javascript:window.pwned=1>",
  "![i](https://evil.example/pixel.png) ![j](//evil.example/pixel.png) ![k][ref]\n\n[ref]: https://evil.example/ref.png",
  '[l](https://example.org/"onmouseover="window.pwned=1 \'title" onclick="window.pwned=1\')',
  "`<img src=x onerror=window.pwned=1>`\n\n```html\n</code></pre><script>window.pwned=1</script>\n```",
  "| <img src=x onerror=window.pwned=1> | [m](javascript:1) |\n|---|---|\n| <form action=/logout><button>x | y |",
  "<div id=app name=body style='position:fixed;inset:0' class=approval>covered</div><input autofocus onfocus=window.pwned=1>",
  "<a id=defaultView href=x><a id=defaultView name=body href=y></a><details open ontoggle=window.pwned=1>",
  "https://example.org/<script>window.pwned=1</script> www.example.org mail@example.org",
]

const TAGS =
  "DIV P BR HR H3 H4 H5 H6 BLOCKQUOTE PRE CODE UL OL LI STRONG EM DEL A TABLE THEAD TBODY TR TH TD BUTTON"
const ATTRIBUTES = "class href target rel title tabindex role aria-label type start align dir"

test("hostile Markdown becomes text and links that lead out safely", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script: () => HOSTILE.join("\n\n") })
  const { page, ask, answer } = await world.page()
  await ask("say something bad")
  const seen = await answer.evaluate((element) => {
    const all = [...element.querySelectorAll("*")]
    return {
      tags: [...new Set(all.map(({ tagName }) => tagName))],
      attributes: [...new Set(all.flatMap((one) => one.getAttributeNames()))],
      links: [...element.querySelectorAll("a")].map((link) => ({
        href: link.getAttribute("href") ?? "",
        rel: link.rel,
        target: link.target,
      })),
    }
  })
  expect(seen.tags.filter((tag) => !TAGS.split(" ").includes(tag))).toEqual([])
  expect(seen.attributes.filter((name) => !ATTRIBUTES.split(" ").includes(name))).toEqual([])
  expect(seen.links.length).toBeGreaterThan(4)
  for (const link of seen.links) {
    expect(link.href).toMatch(/^(?:https?:\/\/|mailto:)/)
    expect(link).toMatchObject({ rel: "noopener noreferrer", target: "_blank" })
  }
  // Raw tags are shown as they were written.
  expect(await answer.innerText()).toContain("<script>window.pwned = 1</script>")
  expect(await answer.getByRole("link", { name: "image: i" }).getAttribute("href")).toBe(
    "https://evil.example/pixel.png",
  )
  expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false)
})

test("hostile names, inputs and results of tools are text", async () => {
  const bad = "<img src=x onerror=window.pwned=1>\u202e[x](javascript:1)"
  const world = await openChatWorld({
    files: { ...INSTRUCTIONS, "bad.md": bad },
    script: ({ results }) =>
      results.length === 0
        ? [
            { name: "read", input: { path: "bad.md" } },
            { name: "read", input: { path: bad } },
          ]
        : bad,
  })
  const { page, ask, turns } = await world.page()
  await ask(bad)
  for (const tool of await page.locator(".tool summary").all()) await tool.click()
  expect(await page.locator(".tool").first().innerText()).toContain("<img src=x")
  expect(await turns.first().locator("img").count()).toBe(0)
  expect(await page.locator(".session-link").first().innerText()).toContain("<img src=x")
  // What would turn the rest of the line around is its number.
  expect(await page.locator(".tool summary").nth(1).innerText()).toContain("window.pwned=1>‹U+202E›[x]")
  expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false)
})

/** Each of them is slow in some Markdown parser, or makes it throw. */
const HUGE: Readonly<Record<string, string>> = {
  quotes: ">".repeat(20_000),
  lists: Array.from({ length: 1_000 }, (_, at) => `${" ".repeat(at)}- a`).join("\n"),
  numbers: "1. ".repeat(4_000),
  underscores: "_a".repeat(50_000),
  stars: "a**b".repeat(25_000),
  brackets: "[".repeat(60_000),
  links: "[a](b".repeat(20_000),
  cells: `${"|a".repeat(20_000)}\n${"|-".repeat(20_000)}`,
  fences: "```\n".repeat(4_000),
  long: `# Title\n\n${"words and **more** words. ".repeat(1_000)}`,
  definitions: Array.from({ length: 1_000 }, (_, at) => `[${at}]: https://example.org/${at}`).join("\n"),
}

test("texts that are huge or nested without end are shown, within bounded time", async () => {
  const names = Object.keys(HUGE)
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ message }) => HUGE[message] ?? "no such text",
  })
  const { page, ask, answer, turns } = await world.page()
  await page.evaluate(() => {
    const own = globalThis as unknown as { longest: number }
    own.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) own.longest = Math.max(own.longest, duration)
    }).observe({ type: "longtask" })
  })
  for (const name of names) {
    await ask(name)
    const text = (await answer.evaluate((element) => element.textContent)) ?? ""
    expect(text.length, name).toBeGreaterThan(name === "definitions" || name === "fences" ? -1 : 100)
  }
  // Not a measure of speed, but of growth: what grows with the square takes minutes.
  const longest = await page.evaluate(() => (globalThis as unknown as { longest: number }).longest)
  expect(longest).toBeLessThan(20_000)
  expect(await turns.count()).toBe(names.length)
})

const EVERYTHING =
  "# Title\n\nSome **bold** and *slanted* text with `code` and a [link](https://example.org/a_b).\n\n- one\n- two\n  1. deep\n\n```js\nconst a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\nLast words.\n"

test("a text that grew piece by piece looks as if it had come at once, and code can be copied", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script: () => EVERYTHING })
  const { page, ask, answer, turns } = await world.page()
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: world.url })
  await ask("everything")
  const grown = await answer.innerHTML()
  expect(await answer.locator("h3, li, pre, td, th, blockquote, strong, em").allInnerTexts()).toEqual([
    ...["Title", "bold", "slanted", "one", "two\ndeep", "deep"],
    ...["const a = 1\n", "a", "b", "1", "2", "quoted"],
  ])
  await answer.getByRole("button", { name: "Copy" }).click()
  await answer.getByRole("button", { name: "Copied" }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const a = 1")
  await page.reload()
  await turns.first().waitFor()
  expect(await answer.innerHTML()).toBe(grown)
})

test("Arabic and Hebrew begin at the right: what is said, answers, the field and titles", async () => {
  const shalom = "\u05e9\u05dc\u05d5\u05dd world"
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: () =>
      `# ${shalom}\n\n${shalom}\n\n- ${shalom}\n- lamp\n\n| ${shalom} | b |\n|---|---|\n| a | ${shalom} |`,
  })
  const { page, ask, field, answer } = await world.page()
  await ask(shalom)
  await field.fill(shalom)
  const direction = (of: Locator) => of.evaluate((element) => getComputedStyle(element).direction)
  for (const name of ["h3", "p", "li:first-child", "th:first-child", "td:last-child"])
    expect([name, await direction(answer.locator(name))]).toEqual([name, "rtl"])
  expect(await direction(answer.locator("li:last-child"))).toBe("ltr")
  for (const one of [field, page.locator(".said-text"), page.locator(".session-link .cut").first()])
    expect(await direction(one)).toBe("rtl")
  expect(await direction(page.locator("h1"))).toBe("rtl")
})

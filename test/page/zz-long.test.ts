// A long conversation: earlier messages on demand, without moving what one reads.
import { expect, test } from "vitest"
import { clientOf, OPERATOR } from "../serve/api/api-client.ts"
import { openChatWorld } from "./chat-world.ts"

const TURNS = 70

for (let round = 0; round < 6; round += 1)
  test(`round ${round}`, async () => {
    const world = await openChatWorld({
      files: { "AGENTS.md": "Keep the lamp lit.\n" },
      script: ({ message }) => `You said: ${message}`,
    })
    const client = await clientOf(world, OPERATOR)
    const { session } = (await client.post("/api/sessions", { text: "words number 0" })).json
    for (let at = 1; at < TURNS; at += 1)
      await client.post(`/api/sessions/${session}/messages`, { text: `words number ${at}` })
    const started = Date.now()
    let step = "open"
    let done = false
    const say = (name: string) => {
      step = name
      process.stderr.write(`${name} ${Date.now() - started}\n`)
    }
    const { page, turns, ask } = await world.page({ at: `/?session=${session}` })
    const timer = setInterval(async () => {
      if (done) return
      const st = await page
        .evaluate(() => {
          const e = document.querySelector("[aria-label=Conversation]") as HTMLElement | null
          return {
            top: e?.scrollTop,
            h: e?.scrollHeight,
            c: e?.clientHeight,
            turns: document.querySelectorAll("article.turn").length,
            text: document.body.innerText.slice(-400),
            busy: document.querySelectorAll("[aria-busy=true]").length,
            btn: [...document.querySelectorAll("button")]
              .map((b) => b.textContent)
              .slice(0, 12)
              .join("|"),
          }
        })
        .catch(String)
      process.stderr.write(`STUCK? at ${step} ${Date.now() - started} ${JSON.stringify(st)}\n`)
    }, 30_000)
    say("posted")
    await page.getByText(`You said: words number ${TURNS - 1}`).waitFor()
    say("seen")
    expect(await turns.count()).toBeLessThan(TURNS)
    const scroller = page.getByRole("group", { name: "Conversation" })
    await scroller.evaluate((element) => {
      element.scrollTop = 0
    })
    const first = turns.first()
    const text = await first.innerText()
    const before = (await first.boundingBox())?.y ?? 0
    say("before click")
    await page.getByRole("button", { name: "Earlier messages" }).click()
    say("clicked")
    await expect.poll(() => turns.count()).toBe(TURNS)
    say("all there")
    const same = turns.nth(TURNS - 50)
    await expect.poll(async () => Math.abs(((await same.boundingBox())?.y ?? 0) - before)).toBeLessThan(60)
    say("still")
    expect(await same.innerText()).toBe(text)
    // What came before stays when the end is read again.
    await ask("one more")
    say("asked")
    expect(await turns.count()).toBe(TURNS + 1)
    expect(await turns.first().innerText()).toContain("words number 0")
    done = true
    clearInterval(timer)
  })

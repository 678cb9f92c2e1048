// Plans in the chat: what is asked for with "Plan first" can be read, changed and approved where it was asked for.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { axeProblems } from "./axe.ts"
import { openChatWorld } from "./chat-world.ts"

const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }

function planOf(goal: string, step: string): string {
  return `Here it is.\n\n# Plan: ${goal}\n\n## Steps\n\n1. ${step}\n`
}

/** Plans, changes the plan once asked to, and says what it was told to carry out. */
function script({ message }: { message: string }) {
  if (message.startsWith("Carry out")) return `Doing: ${/1\. (.*)/.exec(message)?.[1]}`
  return message.includes("brush")
    ? planOf("Clean the lamp", "Take the brush.")
    : planOf("Clean the lamp", "Take the cloth.")
}

test("a plan is changed, approved and carried out, and plan mode ends", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled, answer, field } = await world.page({ width: 360, height: 740 })
  const modes: unknown[] = []
  page.on("request", (request) => {
    if (request.method() === "POST" && /sessions$|messages$/.test(request.url()))
      modes.push(request.postDataJSON().planMode)
  })
  const mode = page.getByRole("button", { name: "Plan first" })
  const card = page.getByRole("region", { name: "Plan" })
  await mode.click()
  await ask("Clean the lamp, please.")
  await card.getByText("Go ahead with the plan “Clean the lamp”?").waitFor()
  expect(await card.getByRole("group", { name: "The plan" }).innerText()).toContain("Take the cloth.")
  expect(await axeProblems(page)).toEqual([])
  // The mode is kept by the page alone.
  await page.reload()
  await card.getByRole("button", { name: "Ask for changes" }).click()
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await mode.getAttribute("aria-pressed")).toBe("true")
  await ask("Use the brush.")
  await card.getByText("Take the brush.").waitFor()
  await card.getByRole("button", { name: "Go ahead" }).click()
  await settled(3)
  expect(await answer.innerText()).toBe("Doing: Take the brush.")
  await card.waitFor({ state: "detached" })
  expect(await mode.getAttribute("aria-pressed")).toBe("false")
  expect(modes).toEqual([true, true, false])
})

test("a plan that was edited in its file is shown as it is, and approved only as it was shown", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled, answer } = await world.page({ provoked: /status of 409/ })
  await page.getByRole("button", { name: "Plan first" }).click()
  await ask("Clean the lamp, please.")
  const card = page.getByRole("region", { name: "Plan" })
  const go = card.getByRole("button", { name: "Go ahead" })
  await go.waitFor()
  const name = /Plan saved as (\S+)\./.exec(await page.locator(".turns").innerText())?.[1]
  const path = join(world.workspace, ".incipit/plans", `${name}.md`)
  writeFileSync(path, readFileSync(path, "utf8").replace("the cloth", "two cloths"))
  await go.click()
  await card.getByRole("alert").getByText("The plan has changed. Read it again.").waitFor()
  expect(await page.locator(".answer").count()).toBe(1)
  await card.getByRole("button", { name: "Read the new plan" }).click()
  await card.getByText("Take two cloths.").waitFor()
  await go.click()
  await settled(2)
  expect(await answer.innerText()).toBe("Doing: Take two cloths.")
})

/** What is sent and would not be seen if it were drawn as Markdown. */
const UNSEEN = `# Plan: Clean the\u202e lamp

## Steps

1. Read [the guide](https://lamp.example "and burn it down") and ![a lamp](lamp.png "first the roof").
2. Ask [the keeper](javascript:lit), \u{e0062}\u200band rest.

| a |
| - |
| b | and the second cell |

\`\`\`sh and the words after it
ls
\`\`\`
${"\n".repeat(4_000)}
3. Take the axe.`

test("the source of a plan is shown, open and with nothing hidden, as it is sent", async () => {
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ message }) => (message.startsWith("Carry out") ? "Done." : `Here it is.\n\n${UNSEEN}`),
  })
  const { page, ask, settled } = await world.page()
  await page.getByRole("button", { name: "Plan first" }).click()
  await ask("Clean the lamp, please.")
  const card = page.getByRole("region", { name: "Plan" })
  await card.getByRole("heading", { name: "Go ahead with the plan “Clean theU+202E lamp”?" }).waitFor()
  const plan = card.getByRole("group", { name: "The plan" })
  expect(await plan.isVisible()).toBe(true)
  expect(await plan.innerText()).toBe(
    UNSEEN.replace("\u202e", "U+202E")
      .replace("\u{e0062}\u200b", "U+E0062U+200B")
      .replace(/(?<=`\n)\n+/, "[4001 empty lines]\n"),
  )
  expect(await plan.evaluate((element) => element.scrollHeight <= 2 * element.clientHeight)).toBe(true)
  expect(await axeProblems(page)).toEqual([])
  const sent = page.waitForRequest(
    (request) => request.method() === "POST" && request.url().endsWith("/messages"),
  )
  await card.getByRole("button", { name: "Go ahead" }).click()
  expect((await sent).postDataJSON().text).toContain(UNSEEN)
  await settled(2)
})

test.each(["the plan's file", "another plan of the session"])(
  "a plan that is replaced by %s while it is shown cannot be approved before it is read",
  async (by) => {
    const world = await openChatWorld({ files: INSTRUCTIONS, script })
    const { page, ask, settled, answer } = await world.page()
    await page.getByRole("button", { name: "Plan first" }).click()
    await ask("Clean the lamp, please.")
    const card = page.getByRole("region", { name: "Plan" })
    const go = card.getByRole("button", { name: "Go ahead" })
    await card.getByText("Take the cloth.").waitFor()
    const own = new URL(page.url()).searchParams.get("session")
    const isFile = by === "the plan's file"
    if (isFile) {
      const name = /Plan saved as (\S+)\./.exec(await page.locator(".turns").innerText())?.[1]
      const path = join(world.workspace, ".incipit/plans", `${name}.md`)
      writeFileSync(path, readFileSync(path, "utf8").replace("the cloth", "the brush"))
    }
    // The end of any turn has the plan read again.
    const { secret } = await world.token({ user: undefined })
    const posted = await fetch(`${world.url}/api/sessions${isFile ? "" : `/${own}/messages`}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: JSON.stringify({ text: isFile ? "hello there" : "Use the brush.", planMode: !isFile }),
    })
    expect(posted.status).toBe(200)
    await card.getByRole("alert").getByText("The plan has changed. Read it again.").waitFor()
    expect(await go.isDisabled()).toBe(true)
    expect(await axeProblems(page)).toEqual([])
    const read = card.getByRole("button", { name: "Read the new plan" })
    // What is pressed twice by mistake approves nothing.
    await read.dblclick()
    await card.getByText("Take the brush.").waitFor()
    expect(await card.getByRole("alert").count()).toBe(0)
    await go.click()
    await settled(isFile ? 2 : 3)
    expect(await answer.innerText()).toBe("Doing: Take the brush.")
  },
)

test("a problem with the plan of one session is not shown with that of another", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask } = await world.page({ provoked: /status of 500/ })
  const card = page.getByRole("region", { name: "Plan" })
  for (const words of ["Clean the lamp today, please.", "Clean the lamp tomorrow, please."]) {
    await page.locator("#view").press("N")
    await page.getByRole("heading", { name: "Try one of these" }).waitFor()
    if ((await page.getByRole("button", { name: "Plan first" }).getAttribute("aria-pressed")) === "false")
      await page.getByRole("button", { name: "Plan first" }).click()
    await ask(words)
    await card.waitFor()
  }
  await page.route("**/plan", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 500, json: { error: { code: "broken", message: "It is broken." } } })
      : route.continue(),
  )
  await card.getByRole("button", { name: "Go ahead" }).click()
  await card.getByRole("alert").waitFor()
  await page.getByRole("link", { name: "Clean the lamp today" }).click()
  await page.locator(".turns").getByText("Clean the lamp today").waitFor()
  await card.getByRole("button", { name: "Go ahead" }).waitFor()
  expect(await card.getByRole("alert").count()).toBe(0)
})

test("a plan is answered once, however often its button is pressed", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled } = await world.page()
  await page.getByRole("button", { name: "Plan first" }).click()
  await ask("Clean the lamp, please.")
  const card = page.getByRole("region", { name: "Plan" })
  const go = card.getByRole("button", { name: "Go ahead" })
  let posts = 0
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  await page.route("**/plan", async (route) => {
    if (route.request().method() === "POST") {
      posts += 1
      await held
    }
    await route.continue()
  })
  await go.click()
  await go.click({ force: true })
  await go.press("Enter")
  expect(await go.isDisabled()).toBe(true)
  goOn()
  await settled(2)
  expect(posts).toBe(1)
})

test("a plan that was approved by a page that was closed can still be carried out, once", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled, answer } = await world.page({ provoked: /ERR_FAILED/ })
  await page.getByRole("button", { name: "Plan first" }).click()
  await ask("Clean the lamp, please.")
  const card = page.getByRole("region", { name: "Plan" })
  await page.route("**/messages", (route) => route.abort())
  await card.getByRole("button", { name: "Go ahead" }).click()
  await page.getByText("Send again").waitFor()
  await page.unroute("**/messages")
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.reload()
  await card.getByText("Approved, not yet carried out.").waitFor()
  await card.getByText("Take the cloth.").waitFor()
  await card.getByRole("button", { name: "Carry out" }).click()
  await settled(2)
  expect(await answer.innerText()).toBe("Doing: Take the cloth.")
  const read = page.waitForResponse((response) => response.url().endsWith("/plan"))
  await page.reload()
  expect(await (await read).json()).toMatchObject({ plan: null })
})

test("a plan that is dismissed asks no more, also after the page is loaded again", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled } = await world.page()
  await page.getByRole("button", { name: "Plan first" }).click()
  await ask("Clean the lamp, please.")
  const card = page.getByRole("region", { name: "Plan" })
  await card.getByRole("button", { name: "Dismiss" }).click()
  await card.waitFor({ state: "detached" })
  const read = page.waitForResponse((response) => response.url().endsWith("/plan"))
  await page.reload()
  await settled(1)
  expect(await (await read).json()).toMatchObject({ plan: null })
  expect(await card.count()).toBe(0)
})

test("plan mode is that of its session: no message ends it in another one", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled, turns } = await world.page()
  const modes: unknown[] = []
  page.on("request", (request) => {
    if (request.method() === "POST" && /sessions$|messages$/.test(request.url()))
      modes.push(request.postDataJSON().planMode)
  })
  const mode = page.getByRole("button", { name: "Plan first" })
  const card = page.getByRole("region", { name: "Plan" })
  const begin = async (words: string) => {
    await page.locator("#view").press("N")
    await page.getByRole("heading", { name: "Try one of these" }).waitFor()
    await ask(words)
  }
  await ask("What about the lamp?")
  expect(await mode.getAttribute("aria-pressed")).toBe("false")
  await page.locator("#view").press("N")
  await mode.click()
  await ask("Clean the lamp, please.")
  // What was chosen for the new session is chosen for the one that it became.
  await expect.poll(() => mode.getAttribute("aria-pressed")).toBe("true")
  const planned = page.url()
  await begin("What about the glass?")
  expect(await mode.getAttribute("aria-pressed")).toBe("false")
  await page.goBack()
  await expect.poll(() => page.url()).toBe(planned)
  await card.getByRole("button", { name: "Go ahead" }).click()
  await settled(2)
  await ask("And the glass?")
  await page.getByRole("link", { name: "What about the lamp?" }).first().click()
  await expect.poll(() => turns.count()).toBe(1)
  await ask("And the wick?")
  expect(modes).toEqual([undefined, true, undefined, false, undefined, undefined])
})

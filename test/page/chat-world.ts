// The chat in a browser, in front of a real gateway with the offline model, or with a model of a local server.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import type { TokenRequest } from "../../src/serve/auth/stored-tokens.ts"
import { mountedSurfaces } from "../../src/serve/gateway/mounted-surfaces.ts"
import { openTestGateway, type TestGateway, type TestOptions } from "../serve/gateway.ts"
import { type OpenOptions, openPage } from "./browser.ts"

export interface ChatWorld extends TestGateway {
  /** Opens the chat in another browser, as the owner or with the token that is asked for. */
  page(options?: Partial<OpenOptions> & { readonly who?: Partial<TokenRequest> }): Promise<ChatPage>
}

export interface ChatPage {
  readonly page: Page
  readonly field: Locator
  /** The turns, oldest first; a summary is none. */
  readonly turns: Locator
  /** The newest answer. */
  readonly answer: Locator
  /** Writes and presses Enter. */
  say(text: string): Promise<void>
  /** The same, and waits for the end of the answer. */
  ask(text: string): Promise<void>
  /** Until nothing runs any more, and so many turns are shown. */
  settled(turns: number): Promise<void>
}

export interface ChatOptions extends TestOptions {
  /** Files of the workspace. */
  readonly files?: Readonly<Record<string, string>>
}

export async function openChatWorld({ files = {}, ...options }: ChatOptions = {}): Promise<ChatWorld> {
  const gateway = await openTestGateway({ surfaces: mountedSurfaces, ...options })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(gateway.workspace, name), text)
  return {
    ...gateway,
    async page({ who = OWNER, ...given } = {}) {
      const { secret: token } = await gateway.token(who)
      return chatOn((await openPage({ url: gateway.url, token, ...given })).page)
    },
  }
}

const OWNER: Partial<TokenRequest> = { user: undefined, scopes: ["talk", "read", "operate"] }

async function chatOn(page: Page): Promise<ChatPage> {
  const field = page.getByRole("textbox", { name: "Message", exact: true })
  await field.waitFor()
  const turns = page.locator("article.turn:has(.said)")
  const say = async (text: string) => {
    await field.fill(text)
    await field.press("Enter")
  }
  const settled = async (count: number) => {
    await expect.poll(() => turns.count()).toBe(count)
    await page.locator('article.turn[aria-busy="true"]').waitFor({ state: "detached" })
    await turns.last().locator("time").waitFor()
  }
  return {
    ...{ page, field, turns, say, settled },
    answer: page.locator(".answer").last(),
    async ask(text) {
      const before = await turns.count()
      await say(text)
      await settled(before + 1)
    },
  }
}

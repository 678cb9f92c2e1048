// A chat whose provider is down for some seconds, with the pauses between tries as long as they really are.
import { expect, test } from "vitest"
import type { Script } from "../agent/world/servers/script.ts"
import { answer, openChat, provider, say, shown, workspace } from "../cli/chat/real-chat.ts"

test("a message that waited is answered with the next one, if nobody asked to wait", async () => {
  const down: Script = { kind: "error", status: 500 }
  const server = await provider(down, down, down, down, answer("To the first."), answer("To the second."))
  const chat = await openChat(workspace(), { server })
  await say(chat, "The first question.", "Your message is kept")
  await say(chat, "The second question.", "To the first.")
  await expect(shown(chat)).toMatchFileSnapshot("../golden/chat/real/answered-with-the-next.txt")
})

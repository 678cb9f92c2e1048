// The contract of adapters with the real pi: its own session, its own requests, and a provider on loopback.
import { openChat } from "../../../src/adapters/pi/open-chat.ts"
import { googleBody, type HostFixture, type OwnChat, testHost } from "../../adapters/contract.ts"
import { ADA, harbour } from "../../adapters/harbour.ts"
import { MODELS, type PiExtension, type PiProvider, piConversation, VERSION } from "./pi-sessions.ts"

const OWN: Readonly<Record<PiProvider, (chat: OwnChat) => object>> = {
  anthropic: (chat) => ({ messages: chat.anthropic("claude-sonnet-5-5").messages }),
  openai: (chat) => chat.openai("gpt-5.2"),
  google: googleBody,
}

const OF_THE_PAGE = "1.5.2"

/** As extensions do it that write the prompt themselves. */
function plainWith(provider: PiProvider): NonNullable<HostFixture["plain"]> {
  return (url, system) => {
    const says: PiExtension = (pi) => {
      pi.on("before_agent_start", ({ systemPrompt }) => ({
        systemPrompt: `${systemPrompt}\n\n${system()}`,
      }))
    }
    return piConversation({ url, provider, extensions: [says] })
  }
}

for (const provider of ["anthropic", "openai", "google"] as const)
  testHost(
    {
      name: `pi, ${provider}`,
      model: `${provider}/${MODELS[provider].id}`,
      // Another version has another prompt of its own, and so other figures.
      ...(VERSION === OF_THE_PAGE && { page: "docs/hosts/pi.md" }),
      frame: (head) => `\n\n<incipit>\n${head}\n</incipit>`,
      ...(VERSION === OF_THE_PAGE && { plain: plainWith(provider) }),
      own: (chat) => ({ body: OWN[provider](chat) }),
      open(url, options) {
        if (options === undefined)
          return { conversation: piConversation({ url, provider, extensions: [] }), chat: undefined }
        const { after, ...rest } = options
        const chat = openChat(harbour, ADA, rest)
        const extensions = [chat.extension]
        return { conversation: piConversation({ url, provider, extensions, after }), chat }
      },
    },
    // pi always asks for a stream.
    ["streamed"],
  )

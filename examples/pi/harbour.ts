// An extension of pi: `pi --extension examples/pi`, or `pi install` with this folder once it has its dependencies. Each
// session of pi gets a chat of its own.
import { definePrompt, perTurn, text } from "incipit"
import { openChat, type PiExtensionApi } from "incipit/pi"

const harbour = definePrompt({
  sections: {
    base: text("You are the harbour master.", { priority: "required" }),
    debts: text("The Otter owes us 300 crowns.", { trust: "full" }),
    clock: perTurn((t: { now: Date }) => `It is ${t.now.toISOString().slice(0, 16)} in UTC.`),
  },
})

export default function (pi: PiExtensionApi): void {
  const chat = openChat(harbour, { id: "ada", trust: "familiar" }, { turn: () => ({ now: new Date() }) })
  chat.extension(pi)
}

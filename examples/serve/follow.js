// Talks to an agent over the API, and shows the answer as it is written. Runs in Node, Deno, Bun and browsers.
const url = process.env.INCIPIT_URL ?? "http://127.0.0.1:4747"
const headers = { authorization: `Bearer ${process.env.INCIPIT_TOKEN}`, "content-type": "application/json" }

const answer = await fetch(`${url}/api/sessions`, {
  method: "POST",
  headers: { ...headers, accept: "text/event-stream" },
  body: JSON.stringify({ text: "what files are here?" }),
})
if (!answer.ok) throw new Error(await answer.text())

let turn = ""
for await (const event of eventsIn(answer.body)) {
  if (event.kind === "turn-started") turn = event.turn
  if (event.kind === "tool-started") console.log(`[${event.name}]`)
  if (event.kind === "turn-finished") console.log(event.reply.text)
}

// Every answer has a receipt: the exact prompt, and what each part of it is there for.
const receipt = await (await fetch(`${url}/api/turns/${turn}`, { headers })).json()
console.log(receipt.report.sections.map(({ id, outcome }) => `${id}: ${outcome.kind}`).join(", "))

/** Reads server-sent events: blocks of lines, with the JSON after `data:`. */
async function* eventsIn(body) {
  let text = ""
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}

// The official OpenAI SDK as a client of `incipit serve`, with a tool that runs here, beside the agent's own.
import OpenAI from "openai"

const client = new OpenAI({
  baseURL: `${process.env.INCIPIT_URL ?? "http://127.0.0.1:4747"}/v1`,
  apiKey: process.env.INCIPIT_TOKEN,
})

const runner = client.chat.completions.runTools({
  model: "main",
  messages: [{ role: "user", content: "What is on the stove?" }],
  stream: true,
  tools: [
    {
      type: "function",
      function: {
        name: "look_at_stove",
        description: "Says what is on the stove in this kitchen.",
        parameters: { type: "object", properties: {} },
        function: () => "Pea soup, on low heat.",
      },
    },
  ],
})

console.log(await runner.finalContent())

// The official OpenAI SDK as a client of the responses API.
import OpenAI from "openai"
import { expect, test } from "vitest"
import { callerOf, echo, type Served, serve } from "./served.ts"

function clientOf({ fetch }: Pick<Served, "fetch">): OpenAI {
  return new OpenAI({ apiKey: "token", baseURL: "http://127.0.0.1/v1", fetch })
}

const sessions = ({ responses }: Served) => responses.map(({ headers }) => headers.get("x-incipit-session"))

test("an answer, and one that continues it by its id", async () => {
  const served = await serve(echo)
  const { responses } = clientOf(served)
  const first = await responses.create({ model: "keeper", input: "one" })
  expect(first.output_text).toBe("You said: one")
  expect(first.status).toBe("completed")
  expect(first.usage!.total_tokens).toBeGreaterThan(100)
  const second = await responses.create({ model: "keeper", input: "two", previous_response_id: first.id })
  expect(second.previous_response_id).toBe(first.id)
  // The first answer has been continued, so this is a branch.
  await responses.create({ model: "keeper", input: "three", previous_response_id: first.id })
  const [one, two, three] = sessions(served)
  expect(two).toBe(one)
  expect(three).not.toBe(one)
})

test("a stream has all events in order, and the helper gathers the same response", async () => {
  const served = await serve(echo)
  const stream = clientOf(served).responses.stream({ model: "keeper", input: "one two" })
  const kinds: string[] = []
  const numbers: number[] = []
  stream.on("event", ({ type, sequence_number: number }) => {
    if (kinds.at(-1) !== type) kinds.push(type)
    numbers.push(number)
  })
  const final = await stream.finalResponse()
  expect(final.output_text).toBe("You said: one two")
  expect(kinds).toEqual([
    ...["response.created", "response.in_progress", "response.output_item.added"],
    ...["response.content_part.added", "response.output_text.delta", "response.output_text.done"],
    ...["response.content_part.done", "response.output_item.done", "response.completed"],
  ])
  expect(numbers).toEqual(numbers.map((_number, at) => at))
})

test("an answer that is cut is incomplete", async () => {
  const served = await serve(() => "alpha beta gamma delta")
  const { status, incomplete_details: why } = await clientOf(served).responses.create({
    ...{ model: "keeper", input: "go", max_output_tokens: 2 },
  })
  expect({ status, why }).toEqual({ status: "incomplete", why: { reason: "max_output_tokens" } })
})

test("another person's response is not found, and nor is one that never was", async () => {
  const served = await serve(echo)
  const { id } = await clientOf(served).responses.create({ model: "keeper", input: "one" })
  const bo = clientOf({ fetch: served.as(callerOf("bo", "full")) })
  const messages: string[] = []
  for (const previous of [id, "resp_x"])
    await bo.responses
      .create({ model: "keeper", input: "two", previous_response_id: previous })
      .catch((error: unknown) => messages.push(String(error).replace(previous.slice("resp_".length), "ID")))
  expect(messages).toEqual(
    Array(2).fill('Error: 404 there is no answer "ID" for this caller; send the whole conversation instead'),
  )
})

// What every agent store promises about questions for approval.
import { expect, test } from "vitest"
import { held, type OpenEmpty } from "./agent-store-contract.ts"

export function questionsContract(open: OpenEmpty): void {
  const question = { agent: "main", session: "s", from: "bo", request: "{}" }

  test("a question is open until it is answered, withdrawn or expired, and is answered once", async () => {
    const { store, at } = await held(open)
    const { questions } = store
    const ids = async () => (await questions.open()).map(({ id }) => id)
    at(5)
    for (const id of ["a", "b", "c", "d"]) await questions.ask({ ...question, id, expiresInMs: 10 })
    expect((await questions.open())[0]).toEqual({ ...question, id: "a", at: 5, expiresAt: 15 })
    expect([await questions.answer("b", "no"), await questions.answer("b", "yes")]).toEqual([true, false])
    await questions.withdraw("c")
    expect(await ids()).toEqual(["a", "d"])
    at(14)
    expect([await questions.answer("a", "yes"), await questions.answer("c", "yes")]).toEqual([true, false])
    at(15)
    expect([await ids(), await questions.answer("d", "yes")]).toEqual([[], false])
    const answers = await Promise.all(["a", "b", "c", "d", "e"].map((id) => questions.answerTo(id)))
    expect(answers).toEqual(["yes", "no", undefined, undefined, undefined])
  })
}

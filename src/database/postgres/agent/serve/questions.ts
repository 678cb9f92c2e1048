// Questions for approval, in PostgreSQL.
import { QUESTION_ANSWERS, type Questions } from "../../../contract/serve/questions.ts"
import { questionOf } from "../../../rows/serve-rows.ts"
import { type StoreConnection, wakes } from "../store-connection.ts"

export function questionsIn({ postgres, write }: StoreConnection): Questions {
  return {
    ask: ({ id, agent, session, from, request, expiresInMs }) =>
      write(async (statements) => {
        await Promise.all([
          statements.run("DELETE FROM questions WHERE expires_at <= now_ms()"),
          statements.run(
            `INSERT INTO questions (id, agent, session_id, sender, request, at, expires_at)
            VALUES ($1, $2, $3, $4, $5, now_ms(), now_ms() + $6::bigint) RETURNING ${wakes("approval", "session_id")}`,
            ...[id, agent, session, from, request, expiresInMs],
          ),
        ])
      }),
    open: async () =>
      (
        await postgres.all(
          "SELECT * FROM questions WHERE answer IS NULL AND expires_at > now_ms() ORDER BY number",
        )
      ).map(questionOf),
    answer: (id, answer) =>
      write(async (statements) => {
        const given = `UPDATE questions SET answer = $2 WHERE id = $1 AND answer IS NULL AND expires_at > now_ms()
          RETURNING ${wakes("approval", "session_id")}`
        return (await statements.run(given, id, answer)) === 1
      }),
    async answerTo(id) {
      const row = await postgres.get("SELECT answer FROM questions WHERE id = $1", id)
      return QUESTION_ANSWERS.find((one) => one === row?.answer)
    },
    async withdraw(id) {
      await postgres.run("DELETE FROM questions WHERE id = $1", id)
    },
  }
}

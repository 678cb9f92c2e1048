// Questions for approval, in SQLite.
import { QUESTION_ANSWERS, type Questions } from "../../../contract/serve/questions.ts"
import { questionOf } from "../../../rows/serve-rows.ts"
import type { StoreFile } from "../store-file.ts"

export function questionsIn({ database, now, read, write }: StoreFile): Questions {
  return {
    ask: ({ id, agent, session, from, request, expiresInMs }) =>
      write(() => {
        const at = now()
        database.run("DELETE FROM questions WHERE expires_at <= ?", at)
        database.run(
          `INSERT INTO questions (id, agent, session_id, sender, request, at, expires_at)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
          ...[id, agent, session, from, request, at, at + expiresInMs],
        )
      }),
    open: () =>
      read(() => {
        const open = "SELECT * FROM questions WHERE answer IS NULL AND expires_at > ? ORDER BY number"
        return database.all(open, now()).map(questionOf)
      }),
    answer: (id, answer) =>
      write(() => {
        const given = "UPDATE questions SET answer = ? WHERE id = ? AND answer IS NULL AND expires_at > ?"
        return database.run(given, answer, id, now()).changes === 1
      }),
    answerTo: (id) =>
      read(() => {
        const answer = database.get("SELECT answer FROM questions WHERE id = ?", id)?.answer
        return QUESTION_ANSWERS.find((one) => one === answer)
      }),
    withdraw: (id) =>
      write(() => {
        database.run("DELETE FROM questions WHERE id = ?", id)
      }),
  }
}

// What is kept for one person or room, in PostgreSQL: the place in a workflow, how they write, the bulletin, notices.
import { atLeast, TRUSTS } from "../../../base/trust.ts"
import type { Bulletins, Notices, WorkflowPlaces, WritingHabits } from "../../contract/people.ts"
import { bulletinOf, workflowPlaceOf } from "../../rows/personal-rows.ts"
import type { StoreConnection } from "./store-connection.ts"

const WHOSE = "agent = $1 AND who = $2"

export function workflowsIn({ postgres, write }: StoreConnection): WorkflowPlaces {
  const expected = `${WHOSE} AND name = $3 AND current = $4 AND step = $5`
  return {
    async get({ agent, who }) {
      const row = await postgres.get(`SELECT * FROM workflows WHERE ${WHOSE}`, agent, who)
      return row && workflowPlaceOf(row)
    },
    async put({ agent, who }, { name, current, step }) {
      await postgres.run(
        `INSERT INTO workflows (agent, who, name, current, step, updated_at) VALUES ($1, $2, $3, $4, $5, now_ms())
        ON CONFLICT (who, agent) DO UPDATE SET name = excluded.name, current = excluded.current, step = excluded.step,
          updated_at = excluded.updated_at`,
        ...[agent, who, name, current, step],
      )
    },
    move: ({ agent, who }, from, to) =>
      write(async (statements) => {
        const was = [agent, who, from.name, from.current, from.step]
        if (to === undefined)
          return (await statements.run(`DELETE FROM workflows WHERE ${expected}`, ...was)) === 1
        const moved = `UPDATE workflows SET name = $6, current = $7, step = $8, updated_at = now_ms() WHERE ${expected}`
        return (await statements.run(moved, ...was, to.name, to.current, to.step)) === 1
      }),
    remove: ({ agent, who }) =>
      write(async (statements) => {
        return (await statements.run(`DELETE FROM workflows WHERE ${WHOSE}`, agent, who)) > 0
      }),
  }
}

export function writingHabitsIn({ postgres, write }: StoreConnection): WritingHabits {
  return {
    async read({ agent, who }) {
      const row = await postgres.get(`SELECT profile FROM communication WHERE ${WHOSE}`, agent, who)
      return row && String(row.profile)
    },
    replace: ({ agent, who }, expected, json) =>
      write(async (statements) => {
        const first = `INSERT INTO communication (agent, who, profile, updated_at) VALUES ($1, $2, $3, now_ms())
          ON CONFLICT DO NOTHING`
        if (expected === undefined) return (await statements.run(first, agent, who, json)) === 1
        const replaced = `UPDATE communication SET profile = $3, updated_at = now_ms() WHERE ${WHOSE} AND profile = $4`
        return (await statements.run(replaced, agent, who, json, expected)) === 1
      }),
    async erase({ agent, who }) {
      await postgres.run(`DELETE FROM communication WHERE ${WHOSE}`, agent, who)
    },
  }
}

export function bulletinsIn({ postgres }: StoreConnection): Bulletins {
  return {
    async read({ agent, who, trust }) {
      const row = await postgres.get(
        `SELECT * FROM bulletins WHERE ${WHOSE} AND trust = $3`,
        ...[agent, who, trust],
      )
      return row && bulletinOf(row)
    },
    async write({ agent, who, trust }, { lines, entries, by }) {
      await postgres.run(
        `INSERT INTO bulletins (agent, who, trust, at, text, made_from) VALUES ($1, $2, $3, now_ms(), $4, $5)
        ON CONFLICT (who, agent, trust) DO UPDATE SET at = excluded.at, text = excluded.text,
          made_from = excluded.made_from`,
        ...[agent, who, trust, lines.join("\n"), JSON.stringify({ entries, by })],
      )
    },
    async remove({ agent, who, trust }) {
      await postgres.run(`DELETE FROM bulletins WHERE ${WHOSE} AND trust = $3`, agent, who, trust)
    },
    async erase({ agent, who }) {
      await postgres.run(`DELETE FROM bulletins WHERE ${WHOSE}`, agent, who)
    },
  }
}

const MOST_NOTICES = 50

export function noticesIn({ postgres, write }: StoreConnection): Notices {
  return {
    add: ({ agent, who, session, trust, text }) =>
      write(async (statements) => {
        await statements.run(
          `INSERT INTO notices (agent, who, session_id, trust, at, text) VALUES ($1, $2, $3, $4, now_ms(), $5)`,
          ...[agent, who, session, trust, text],
        )
      }),
    see: ({ agent, who, trust }) =>
      write(async (statements) => {
        const visible = TRUSTS.filter((level) => atLeast(trust, level))
        const which = `${WHOSE} AND trust = ANY($3::text[])`
        const [rows] = await Promise.all([
          statements.all(
            `SELECT * FROM notices WHERE ${which} ORDER BY number DESC LIMIT ${MOST_NOTICES}`,
            ...[agent, who, visible],
          ),
          statements.run(
            `UPDATE notices SET seen_at = now_ms() WHERE ${which} AND seen_at IS NULL`,
            ...[agent, who, visible],
          ),
        ])
        return rows
          .toReversed()
          .map((row) => ({ at: Number(row.at), text: String(row.text), isNew: row.seen_at === null }))
      }),
    async last({ agent, who }) {
      const row = await postgres.get(
        `SELECT at, text FROM notices WHERE ${WHOSE} ORDER BY number DESC LIMIT 1`,
        ...[agent, who],
      )
      return row && { at: Number(row.at), text: String(row.text) }
    },
  }
}

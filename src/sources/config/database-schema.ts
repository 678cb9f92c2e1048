// The shape of `database` in incipit.yaml.
import { z } from "zod"

export const databaseSchema = z
  .string()
  .refine(isDatabaseAddress, "is not a URL such as postgres://user@host/name")
  .refine(hasNoPassword, "has a password; set PGPASSWORD instead, or the whole URL in INCIPIT_DATABASE_URL")
  .describe(
    "a PostgreSQL database for conversations, the queue, the record and memory, in place of files, which is used once you approve it",
  )

function isDatabaseAddress(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
}

/** incipit.yaml is shared and shown; secrets are in variables. */
function hasNoPassword(text: string): boolean {
  if (!URL.canParse(text)) return true
  const { password, searchParams } = new URL(text)
  return password === "" && !searchParams.has("password")
}

// The bodies of What If's routes.
import { z } from "zod"
import { MODES } from "../../../core/model/mode.ts"

/** A file of a prompt has at most this many characters; a larger one is not read. */
const MOST_TEXT = 1024 * 1024
const MOST_MESSAGE = 100_000
export const MOST_BODY = 8 * 1024 * 1024

const shortText = z.string().max(MOST_MESSAGE, `is longer than ${MOST_MESSAGE} characters`)
const fileText = z.string().max(MOST_TEXT, `is longer than ${MOST_TEXT} characters`)

export const askedSchema = z.strictObject({
  agent: z.string().optional().describe("A further agent of the workspace. Default: the main one."),
  user: z
    .string()
    .nullable()
    .optional()
    .describe("A user of incipit.yaml, or null for somebody unknown. Default: the caller."),
  situation: z.string().optional().describe("Default: the token's."),
  mode: z.enum(MODES).optional(),
  message: shortText.optional().describe("What the person says."),
})

export const changesSchema = z.strictObject({
  files: z.record(z.string(), fileText).optional().describe("New texts of files, by path."),
  sections: z
    .record(z.string(), z.union([z.enum(["off", "on"]), z.strictObject({ text: fileText })]))
    .optional()
    .describe("Sections that are switched off or on, or have another text."),
  head: z.int().min(0).optional().describe("The most tokens of stable and session text."),
  model: z.string().min(1).max(200).optional(),
})

export const patchSchema = askedSchema.extend({ changes: changesSchema })
export const applySchema = patchSchema.extend({
  patch: z
    .string()
    .max(MOST_BODY)
    .describe("The patch as it was shown. If it would be another now, nothing is written."),
})

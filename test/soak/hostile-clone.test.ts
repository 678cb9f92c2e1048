// Every trick of a hostile folder, together and alone, with every command in every form: the long version of test/hostile.
import { afterAll, expect, test } from "vitest"
import { ALL, tryInvocations } from "../hostile/every-command.ts"
import { ALONE, CLONED_WITH_GIT, COMBINED, MIXED } from "../hostile/folders.ts"
import { removeCompiled } from "../hostile/watched.ts"

afterAll(removeCompiled)

test.for([COMBINED, CLONED_WITH_GIT, ...MIXED, ...ALONE])("$name", async ({ tricks }, { skip }) => {
  const missing = tricks.flatMap((trick) => trick.missing?.() ?? [])[0]
  if (missing !== undefined) skip(missing)
  expect(await tryInvocations(tricks, ALL)).toEqual({})
})

import { expect, test } from "vitest"
import { createProgressLine } from "../../../src/cli/views/progress-line.ts"

test("what is printed after the progress line begins a line, also after a failure", () => {
  let screen = ""
  const line = createProgressLine((text) => {
    screen += text
  })
  line.end()
  expect(screen).toBe("")
  line.show("copying items: 100 rows")
  line.show("copying inbox: 1 row")
  line.end()
  line.end()
  expect(screen).toBe("\r\u001b[Kcopying items: 100 rows\r\u001b[Kcopying inbox: 1 row\r\u001b[K")
})

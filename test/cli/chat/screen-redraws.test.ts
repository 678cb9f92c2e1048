// What is written to a terminal to draw the live region again, byte by byte: terminals differ in what they make of rows
// that they have broken in two.
import { expect, test } from "vitest"
import { openScreen } from "../../../src/cli/chat/screen/screen.ts"

const FRAME = { lines: ["", "figures", "> "], cursor: { row: 2, column: 2 } }

function written() {
  const texts: string[] = []
  const screen = openScreen((text) => texts.push(text))
  screen.draw(["finished"], FRAME, { columns: 40, rows: 12 })
  texts.length = 0
  return { screen, texts }
}

const [BEGIN, END] = ["\u001b[?2026h\u001b[?25l", "\r\u001b[2C\u001b[?25h\u001b[?2026l"]

test("what is at its place is written over", () => {
  const { screen, texts } = written()
  screen.draw(["more"], FRAME, { columns: 40, rows: 12 })
  expect(texts).toEqual([
    `${BEGIN}\u001b[2A\rmore\u001b[K\r\n\u001b[?7l\u001b[K\r\nfigures\u001b[K\r\n> \u001b[K\u001b[J\u001b[?7h${END}`,
  ])
})

test("in a window of another width every row is cleared whole, or tmux joins rows when it gets wider", () => {
  const { screen, texts } = written()
  screen.draw([], FRAME, { columns: 20, rows: 12 })
  expect(texts).toEqual([
    `${BEGIN}\u001b[2A\r\u001b[?7l\u001b[2K\r\n\u001b[2Kfigures\r\n\u001b[2K> \u001b[J\u001b[?7h${END}`,
  ])
})

test("a row that is full keeps its last character, and what was below it goes", () => {
  const { screen, texts } = written()
  const full = { lines: ["asked", "figures 12"], cursor: { row: 1, column: 2 } }
  screen.draw(["0123456789"], full, { columns: 10, rows: 12 })
  screen.draw([], { ...full, lines: ["more asked", "figures 12"] }, { columns: 10, rows: 12 })
  expect(texts).toEqual([
    `${BEGIN}\u001b[2A\r\u001b[2K0123456789\r\n\u001b[?7l\u001b[2Kasked\u001b[J\r\n\u001b[2Kfigures 12\u001b[?7h${END}`,
    `${BEGIN}\u001b[1A\r\u001b[?7l\u001b[J\u001b[2Kmore asked\r\n\u001b[2Kfigures 12\u001b[?7h${END}`,
  ])
})

test("a screen that is cleared leaves no figures behind where it scrolls away", () => {
  const { screen, texts } = written()
  screen.clear()
  expect(texts).toEqual(["\u001b[2A\r\u001b[J\u001b[2J\u001b[H"])
})

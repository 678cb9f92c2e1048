// Prints how well messages are classified: precision and recall of what the default profile tells the model. Times
// nothing; exits with 1 if less than nine in ten readings are right.
import { type Figures, figures, labelledMessages, planFigures, readAll } from "../test/signal/labelled.ts"
import { checkTargets, printTable } from "./measure/measure.ts"

const LEAST = 0.9
const HEADS = ["half", "what", "messages", "told", "right", "precision", "coverage"]

const halves = (["tuning", "held-out"] as const).map((half) => {
  const messages = labelledMessages(half)
  return { half, reading: figures(readAll(messages)), plan: planFigures(messages) }
})
console.log("## How well messages are read\n")
printTable(
  HEADS,
  halves.flatMap(({ half, reading, plan }) => [
    [half, "reading", ...cells(reading)],
    [half, "plan first", ...cells(plan)],
  ]),
)
checkTargets(
  halves.map(({ half, reading }) => ({
    what: `precision, ${half} half`,
    bound: `at least ${LEAST}`,
    measured: reading.precision.toFixed(3),
    holds: reading.precision >= LEAST,
  })),
)

function cells({ messages, told, right, precision, coverage }: Figures): readonly string[] {
  return [String(messages), String(told), String(right), precision.toFixed(3), coverage.toFixed(3)]
}

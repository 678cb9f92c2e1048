// "Always" that is said to several requests at once counts for each of them.
import { expect, test } from "vitest"
import { approver } from "../../../../src/agent/turn/calls/approver.ts"
import type { Approval, ApprovalRequest } from "../../../../src/tools/host.ts"

test("answers to requests of the same moment are all remembered", async () => {
  const answers: ((said: Approval) => void)[] = []
  const asked: string[] = []
  const approve = (request: ApprovalRequest) => {
    asked.push(request.kind)
    return new Promise<Approval>((resolve) => answers.push(resolve))
  }
  const { ask } = approver({ approve }, () => ({}))
  const { signal } = new AbortController()
  const requests: readonly ApprovalRequest[] = [
    { kind: "shell", command: "ls", directory: "/" },
    { kind: "edit", path: "a.md", before: undefined, after: "b" },
  ]
  const asker = { signal, session: "s", from: {}, id: "q" }
  const one = (request: ApprovalRequest) =>
    ask({
      request,
      asker,
      call: "c",
      approve: undefined,
      ruled: () => {},
      whileAsked: (ask) => ask(),
      tell: () => {},
    })
  const both = () => Promise.all(requests.map(one))
  const first = both()
  for (const answer of answers) answer("always")
  expect([await first, await both(), asked]).toEqual([
    ["yes", "yes"],
    ["yes", "yes"],
    ["shell", "edit"],
  ])
})

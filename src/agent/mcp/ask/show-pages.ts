// Pages on which the person has to finish something before a call can work. Under the older protocol, a server names them
// in an error.
import { isRecord } from "../../../base/is-record.ts"
import { type Caller, openCallers } from "./callers.ts"
import { answerServer } from "./elicitation.ts"

const MOST_PAGES = 3

export async function showPages(
  pages: readonly unknown[],
  caller: Caller | undefined,
  options: { readonly server: string; readonly declined: (why: string) => void },
): Promise<void> {
  const callers = openCallers()
  await callers.during(caller, async () => {
    for (const page of pages.slice(0, MOST_PAGES))
      if (isRecord(page)) await answerServer({ ...page, mode: "url" }, { ...options, callers })
  })
}

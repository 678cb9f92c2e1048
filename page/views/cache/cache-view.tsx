// Cache: what each call of a session read, wrote and sent uncached, every miss with its cause and price, and what the
// same calls would have cost in other ways.
import { isCompiled } from "../../data/calls.ts"
import { Empty, NotSent } from "../../parts/notice.tsx"
import { type CallsProps, SessionCalls } from "../../parts/session-calls.tsx"
import { Timeline } from "../../parts/timeline/timeline.tsx"
import { usePlayhead } from "../../parts/timeline/use-playhead.ts"
import { CacheBar } from "./cache-bar.tsx"
import "./cache.css"
import { MissList } from "./miss-list.tsx"
import { OtherWays } from "./other-ways.tsx"

export default function CacheView() {
  return <SessionCalls heading="Cache" class="money cache" none={NONE} show={CacheOfCalls} />
}

const NONE = <p>Once a model has been called, this view shows what its provider's cache did.</p>

function CacheOfCalls({ session, calls }: CallsProps) {
  const [at, move] = usePlayhead(calls)
  if (!calls.some(({ usage }) => usage !== null))
    return isCompiled() ? (
      <NotSent />
    ) : (
      <Empty title="No cache figures">
        <p>
          What a provider read from its cache is shown to readers with full trust, once it has answered. The
          calls themselves are in the view Prompt.
        </p>
      </Empty>
    )
  return (
    <>
      <CacheBar calls={calls} />
      <Timeline calls={calls} at={at} onMove={move} />
      <MissList calls={calls} at={at} onMove={move} />
      <OtherWays session={session} />
    </>
  )
}

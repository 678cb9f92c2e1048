// Watches a page in its browser while something moves: how far frames are apart, and what the page's own thread works at
// one stretch at most. The former depends on what else the machine does; the latter is time of the processor.
import type { Browser, Page } from "playwright-core"

export interface Frames {
  readonly count: number
  readonly longestMs: number
  /** Script, style and layout of one task. */
  readonly longestCpuMs: number
}

const START = `(() => {
  const watched = { frames: [], on: true }
  window.watched = watched
  const next = (at) => {
    watched.frames.push(at)
    if (watched.on) requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
})()`

const END = `(() => {
  window.watched.on = false
  return window.watched.frames
})()`

interface TraceEvent {
  readonly name: string
  readonly tid: number
  readonly pid: number
  /** Microseconds of the thread's own time. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export async function framesDuring(page: Page, move: () => Promise<unknown>): Promise<Frames> {
  const browser = page.context().browser()
  if (browser === null) throw new Error("the page has no browser")
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] })
  await page.evaluate(START)
  await move()
  // The expression is written above.
  const frames = (await page.evaluate(END)) as readonly number[]
  const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at))
  return {
    count: gaps.length,
    longestMs: Math.max(0, ...gaps),
    longestCpuMs: await longestTask(browser),
  }
}

async function longestTask(browser: Browser): Promise<number> {
  const trace: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(
    (await browser.stopTracing()).toString("utf8"),
  )
  const mains = new Set(
    trace.traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === "thread_name" && args?.name === "CrRendererMain" ? [`${pid}:${tid}`] : [],
    ),
  )
  const tasks = trace.traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith("RunTask") && mains.has(`${pid}:${tid}`),
  )
  if (tasks.length === 0) throw new Error("the trace has no tasks")
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000
}

// Watches the frames of a page in its browser while something moves: how far apart they are, and the longest piece of
// work on the page's own thread. Both run in the page.
import type { Page } from "playwright-core"

export interface Frames {
  readonly count: number
  readonly longestMs: number
  /** What the script, style and layout of one frame took at most, waiting for the machine included. */
  readonly longestTaskMs: number
}

const START = `(() => {
  const watched = { frames: [], tasks: [], on: true }
  window.watched = watched
  // A task under 50 ms is not reported, so it counts as none.
  watched.observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.tasks.push(duration)
  })
  watched.observer.observe({ type: "longtask" })
  const next = (at) => {
    watched.frames.push(at)
    if (watched.on) requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
})()`

const END = `(() => {
  const { frames, tasks, observer } = window.watched
  window.watched.on = false
  for (const { duration } of observer.takeRecords()) tasks.push(duration)
  observer.disconnect()
  const gaps = frames.slice(1).map((at, index) => at - frames[index])
  return { count: gaps.length, longestMs: Math.max(0, ...gaps), longestTaskMs: Math.max(0, ...tasks) }
})()`

export async function framesDuring(page: Page, move: () => Promise<unknown>): Promise<Frames> {
  await page.evaluate(START)
  await move()
  // The expression is written above.
  return (await page.evaluate(END)) as Frames
}

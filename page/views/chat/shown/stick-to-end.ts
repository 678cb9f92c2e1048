// Keeps a scrolling element at its end while it grows, if the reader is there; elsewhere nothing moves.
import type { RefObject } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"

/** Distances from the end that count as the end, for zoomed pages with fractions of pixels. */
const NEAR = 32

export interface EndOfScroll {
  readonly isAtEnd: boolean
  readonly toEnd: () => void
  /** Before something is added at the beginning: what one reads stays where it is. */
  readonly holdPlace: () => () => void
}

export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  key: string | undefined,
): EndOfScroll {
  const [isAtEnd, setIsAtEnd] = useState(true)
  const sticks = useRef(true)
  const toEnd = () => {
    sticks.current = true
    setIsAtEnd(true)
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }
  useEffect(toEnd, [key])
  useEffect(() => {
    const element = scroller.current
    const inside = content.current
    if (element === null || inside === null) return undefined
    let lastTop = element.scrollTop
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      // Growing moves the end away without the reader having moved.
      if (scrollHeight - scrollTop - clientHeight <= NEAR) sticks.current = true
      else if (scrollTop < lastTop) sticks.current = false
      lastTop = scrollTop
      setIsAtEnd(sticks.current)
    }
    const sizes = new ResizeObserver(() => {
      // The reader may have scrolled up, and the event for it not have come yet.
      if (element.scrollTop < lastTop) onScroll()
      if (sticks.current) element.scrollTop = element.scrollHeight
      else onScroll()
    })
    element.addEventListener("scroll", onScroll, { passive: true })
    sizes.observe(inside)
    sizes.observe(element)
    return () => {
      element.removeEventListener("scroll", onScroll)
      sizes.disconnect()
    }
  }, [])
  const holdPlace = () => {
    const element = scroller.current
    const fromEnd = element === null ? 0 : element.scrollHeight - element.scrollTop
    return () => {
      if (element !== null) element.scrollTop = element.scrollHeight - fromEnd
    }
  }
  return { isAtEnd, toEnd, holdPlace }
}

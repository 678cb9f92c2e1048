// The size of an element, for what is drawn or laid out by hand.
import type { RefObject } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"

export interface Size {
  readonly width: number
  readonly height: number
}

export function useSize(box: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const read = () => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return size
}

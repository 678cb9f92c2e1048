// A binary min-heap of numbers in the caller's array; the caller keeps the size. Merging a long piece pushes and pops
// some hundred thousand times, so nothing is allocated here. `as number` on a read means that the index is in range.

/** Adds a value to the first `size` values. The array must have room for one more. */
export function pushLeast(heap: Float64Array, size: number, value: number): void {
  let at = size
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent] as number
    if (above <= value) break
    heap[at] = above
    at = parent
  }
  heap[at] = value
}

/** Removes the smallest of the first `size` values, which is `heap[0]`. `size` must be at least 1. */
export function dropLeast(heap: Float64Array, size: number): void {
  const last = size - 1
  const value = heap[last] as number
  let at = 0
  for (let child = 1; child < last; child = 2 * at + 1) {
    if (child + 1 < last && (heap[child + 1] as number) < (heap[child] as number)) child += 1
    const below = heap[child] as number
    if (below >= value) break
    heap[at] = below
    at = child
  }
  heap[at] = value
}

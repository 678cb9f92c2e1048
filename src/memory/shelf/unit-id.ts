// The id of a unit encodes what ranking needs, so that a list of ids is enough for scoring: part (31 bits), position in
// the part (12 bits; 0 is its heading), asks, says when (1 bit each), length (8 bits).

export interface UnitId {
  readonly part: number
  readonly place: number
  readonly asks: boolean
  readonly saysWhen: boolean
  /** In terms, at most 255. */
  readonly length: number
}

/** A key is an id without the unit's attributes: the next unit has the next key. */
const KEY = 1_024
const PART = 4_096
const LONGEST = 255

export function unitId({ part, place, asks, saysWhen, length }: UnitId): number {
  const facts = (asks ? 512 : 0) + (saysWhen ? 256 : 0) + Math.min(length, LONGEST)
  return (part * PART + place) * KEY + facts
}

export function keyOf(id: number): number {
  return Math.floor(id / KEY)
}

export function lengthOf(id: number): number {
  return id % 256
}

export function asks(id: number): boolean {
  return id % KEY >= 512
}

export function saysWhenOf(id: number): boolean {
  return id % 512 >= 256
}

export function partOf(key: number): number {
  return Math.floor(key / PART)
}

/** 0 is the heading of the part. */
export function placeIn(key: number): number {
  return key % PART
}

/** The first and last id that a key can have. */
export function idsOf(key: number): readonly [number, number] {
  return [key * KEY, key * KEY + KEY - 1]
}

/** The first and last id in a part. */
export function idsOfPart(part: number): readonly [number, number] {
  return [part * PART * KEY, (part + 1) * PART * KEY - 1]
}

// The o200k vocabulary: which bytes are a token, and which two tokens merge into a third. One hash table answers both,
// because the hash of a concatenation follows from the hashes of its halves. The tables are allocated empty, which
// costs nothing, and filled by `unpackRanks` at first use. `as number` on a read means that the index is in range: ids
// come from the tables themselves.
import { fillTables } from "./fill-tables.ts"
import { pairs, singles } from "./o200k-ranks.js"

const TOKENS = 199_998
const BYTES = 1_397_670
const LONGEST = 128
const PLACE_BITS = 18
const HASH_BASE = 0x01000193
/** A digit is six bits, as a character from this code upwards; `scripts/pack-ranks.ts` writes them. */
const FIRST_DIGIT = 0x23

const PLACES = 1 << PLACE_BITS
const BYTE_PAIRS = 1 << 16

/** Not a token. Above every rank, so that a search for the lowest rank needs no special case. */
export const NONE = 0x7fffffff

/** All tables that are filled at first use, in one piece: four words and a byte for each token, and three small ones. */
const tables = new ArrayBuffer(4 * (4 * TOKENS + PLACES + BYTE_PAIRS) + TOKENS + 2 * 256)

const lefts = new Int32Array(tables, 0, TOKENS)
const rights = new Int32Array(tables, 4 * TOKENS, TOKENS)
const hashes = new Int32Array(tables, 8 * TOKENS, TOKENS)
/** The next token in the same place of the hash table, and the first in each place. Both + 1, or 0 for none. */
const nexts = new Int32Array(tables, 12 * TOKENS, TOKENS)
const heads = new Int32Array(tables, 16 * TOKENS, PLACES)
/** The merges of two single bytes, kept separately: every piece that isn't a token begins with them. */
const byteMerges = new Int32Array(tables, heads.byteOffset + heads.byteLength, BYTE_PAIRS)
const lengths = new Uint8Array(tables, byteMerges.byteOffset + byteMerges.byteLength, TOKENS)
const tokenBytes = new Uint8Array(tables, lengths.byteOffset + TOKENS, 256)
/** The token of each single byte. */
export const byteTokens = new Uint8Array(tables, tokenBytes.byteOffset + 256, 256)

const powers = new Int32Array(LONGEST + 1)

/** The bytes of the tokens found so far, and where each begins; 0 means "not spelled yet". */
const spelling = new Uint8Array(BYTES + 1)
const spelledAt = new Int32Array(TOKENS)
let spelled = 1

/** The token that these bytes spell, or NONE. */
export function tokenOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > LONGEST) return NONE
  let hash = 0
  for (let at = start; at < end; at++) hash = (Math.imul(hash, HASH_BASE) + (bytes[at] as number)) | 0
  let token = (heads[placeOf(hash)] as number) - 1
  while (token >= 0) {
    if (hashes[token] === hash && isSpelled(token, bytes, start, end)) return token
    token = (nexts[token] as number) - 1
  }
  return NONE
}

/** The token that two adjacent tokens merge into, or NONE. */
export function mergeOf(left: number, right: number): number {
  if (left < 256 && right < 256) return byteMerges[(left << 8) | right] as number
  const hash =
    (Math.imul(hashes[left] as number, powers[byteLength(right)] as number) + (hashes[right] as number)) | 0
  let token = (heads[placeOf(hash)] as number) - 1
  while (token >= 0) {
    if (lefts[token] === left && rights[token] === right) return token
    token = (nexts[token] as number) - 1
  }
  return NONE
}

export function byteLength(token: number): number {
  return lengths[token] as number
}

/**
 * Small loops that take the tables as arguments, on purpose: the engine compiles each of them early and well. One big
 * loop over the module's constants takes more than twice as long, and every start pays for it.
 */
export function unpackRanks(): void {
  fillPowers()
  fillTables(new Uint8Array(tables), () => {
    unpackSingles()
    unpackPairs(new TextEncoder().encode(pairs()), lefts, rights)
    hashPairs({ lefts, rights, lengths, hashes, powers, byteMerges })
    chainTokens(hashes, heads, nexts)
  })
}

function unpackSingles(): void {
  for (let token = 0; token < 256; token++) {
    const byte = Number.parseInt(singles.slice(token * 2, token * 2 + 2), 16)
    tokenBytes[token] = byte
    byteTokens[byte] = token
    lefts[token] = NONE
    lengths[token] = 1
    hashes[token] = byte
  }
}

function unpackPairs(digits: Uint8Array, lefts: Int32Array, rights: Int32Array): void {
  for (let token = 256, at = 0; token < TOKENS; token++, at += 6) {
    lefts[token] = rankAt(digits, at)
    rights[token] = rankAt(digits, at + 3)
  }
}

function rankAt(digits: Uint8Array, at: number): number {
  const high = (digits[at] as number) - FIRST_DIGIT
  const middle = (digits[at + 1] as number) - FIRST_DIGIT
  return (high << 12) | (middle << 6) | ((digits[at + 2] as number) - FIRST_DIGIT)
}

function fillPowers(): void {
  powers[0] = 1
  for (let length = 1; length <= LONGEST; length++)
    powers[length] = Math.imul(powers[length - 1] as number, HASH_BASE)
}

interface Tables {
  readonly lefts: Int32Array
  readonly rights: Int32Array
  readonly lengths: Uint8Array
  readonly hashes: Int32Array
  readonly powers: Int32Array
  readonly byteMerges: Int32Array
}

function hashPairs({ lefts, rights, lengths, hashes, powers, byteMerges }: Tables): void {
  byteMerges.fill(NONE)
  for (let token = 256; token < TOKENS; token++) {
    const left = lefts[token] as number
    const right = rights[token] as number
    const length = lengths[right] as number
    lengths[token] = (lengths[left] as number) + length
    hashes[token] = Math.imul(hashes[left] as number, powers[length] as number) + (hashes[right] as number)
    if ((left | right) < 256) byteMerges[(left << 8) | right] = token
  }
}

/** From last to first, so that tokens with low ranks, which are the most common, come first in the chains. */
function chainTokens(hashes: Int32Array, heads: Int32Array, nexts: Int32Array): void {
  for (let token = TOKENS - 1; token >= 0; token--) {
    const place = placeOf(hashes[token] as number)
    nexts[token] = heads[place] as number
    heads[place] = token + 1
  }
}

/** Uses the upper bits of a multiplication, because the lower bits of the hash depend only on the last bytes. */
function placeOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - PLACE_BITS)
}

function isSpelled(token: number, bytes: Uint8Array, start: number, end: number): boolean {
  if (lengths[token] !== end - start) return false
  let own = spelledAt[token] as number
  if (own === 0) own = spell(token)
  for (let at = start; at < end; at++, own++) if (bytes[at] !== spelling[own]) return false
  return true
}

/** Stores a token's bytes, once, and returns where they begin. */
function spell(token: number): number {
  const start = spelled
  spelledAt[token] = start
  spellParts(token)
  return start
}

function spellParts(token: number): void {
  if (token < 256) {
    spelling[spelled++] = tokenBytes[token] as number
    return
  }
  spellParts(lefts[token] as number)
  spellParts(rights[token] as number)
}

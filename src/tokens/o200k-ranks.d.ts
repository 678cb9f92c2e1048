// The types of the generated module `o200k-ranks.js`; `scripts/pack-ranks.ts` writes it and describes the format.

/** The byte of each of the first 256 ranks, as two hexadecimal digits each. */
export declare const singles: string
/** The two ranks that merge into each later rank, as three digits of six bits each. Long, and not always needed. */
export declare const pairs: () => string
/** The character classes of the o200k pattern, as runs of code points. */
export declare const classes: string

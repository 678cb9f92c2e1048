// A row as any driver returns it.

export type Row = Readonly<Record<string, string | number | boolean | null | Uint8Array>>

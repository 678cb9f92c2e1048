// Converts rows of what serving people needs to values. Only the store writes the columns, so their types are trusted.
import type { StoredArrival } from "../contract/serve/channels.ts"
import type { StoredDelivery } from "../contract/serve/deliveries.ts"
import type { OpenPairing, PairedSender } from "../contract/serve/pairings.ts"
import type { Place } from "../contract/serve/places.ts"
import type { OpenQuestion } from "../contract/serve/questions.ts"
import type { SpendingSum } from "../contract/serve/spending.ts"
import type { StoredToken, TokenScope } from "../contract/serve/tokens.ts"
import type { Row } from "./row.ts"
import { isSet } from "./session-rows.ts"

export function tokenOf(row: Row): StoredToken {
  return {
    id: String(row.id),
    hash: String(row.hash),
    user: String(row.user),
    situation: String(row.situation),
    // Only `add` writes the column, from values of this type.
    scopes: JSON.parse(String(row.scopes)) as readonly TokenScope[],
    name: String(row.name),
    createdAt: Number(row.created_at),
    expiresAt: timeIn(row.expires_at),
    revokedAt: timeIn(row.revoked_at),
    lastUsedAt: timeIn(row.used_at),
  }
}

export function openPairingOf(row: Row): OpenPairing {
  return {
    channel: String(row.channel),
    sender: String(row.sender),
    label: typeof row.label === "string" ? row.label : undefined,
    at: Number(row.at),
    expiresAt: Number(row.expires_at),
  }
}

export function pairedOf(row: Row): PairedSender {
  return {
    channel: String(row.channel),
    sender: String(row.sender),
    user: String(row.user),
    at: Number(row.at),
  }
}

export function arrivalFrom(row: Row): StoredArrival {
  return {
    channel: String(row.channel),
    id: String(row.id),
    at: Number(row.at),
    turn: typeof row.turn_id === "string" ? row.turn_id : undefined,
    replyTo: typeof row.reply_to === "string" ? row.reply_to : undefined,
  }
}

export function deliveryOf(row: Row): StoredDelivery {
  return {
    id: String(row.id),
    channel: String(row.channel),
    to: String(row.place),
    body: String(row.body),
    at: Number(row.at),
    turn: typeof row.turn_id === "string" ? row.turn_id : undefined,
    attempts: Number(row.attempts),
    // Only this file writes the column, from values of this type.
    state: String(row.state) as StoredDelivery["state"],
    notBefore: Number(row.not_before),
    error: typeof row.error === "string" ? row.error : undefined,
    sentAs: typeof row.sent_as === "string" ? row.sent_as : undefined,
  }
}

export function placeOf(row: Row): Place {
  return {
    session: String(row.session_id),
    seq: Number(row.seq),
    turn: String(row.turn_id),
    isLast: isSet(row.is_last),
  }
}

export function questionOf(row: Row): OpenQuestion {
  return {
    id: String(row.id),
    agent: String(row.agent),
    session: String(row.session_id),
    from: String(row.sender),
    request: String(row.request),
    at: Number(row.at),
    expiresAt: Number(row.expires_at),
  }
}

export function sumOf(row: Row | undefined): SpendingSum {
  return {
    costUsd: Number(row?.cost),
    tokens: Number(row?.tokens),
    calls: Number(row?.calls),
    unpriced: Number(row?.unpriced),
    open: Number(row?.open),
  }
}

function timeIn(value: Row[string] | undefined): number | undefined {
  return typeof value === "number" ? value : undefined
}

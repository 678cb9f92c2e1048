// Numbers, money and times as the page writes them. Nothing else formats them, so that the same value looks the same
// everywhere.

const GROUPED = new Intl.NumberFormat("en-US")

export function count(value: number): string {
  return GROUPED.format(Math.round(value))
}

/** Such as "1 call" and "1,204 calls". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Such as "18.0k" or "1.2M", where there is little room. */
export function shortCount(value: number): string {
  if (value < 1_000) return String(Math.round(value))
  if (value < 999_500) return `${(value / 1_000).toFixed(value < 99_950 ? 1 : 0)}k`
  return `${(value / 1_000_000).toFixed(value < 99_950_000 ? 2 : 0)}M`
}

/** Cents as far as they matter: "$0.0097", "$1.84", "$1,204". */
export function money(value: number | null): string {
  if (value === null) return "no price"
  if (value === 0) return "$0"
  return signed(value, value < 0 ? "−" : "")
}

/** A change of money, with its sign. */
export function moneyChange(value: number): string {
  return value === 0 ? "±$0" : signed(value, value < 0 ? "−" : "+")
}

function signed(value: number, sign: string): string {
  const size = Math.abs(value)
  if (size < 0.00005) return `under ${sign}$0.0001`
  if (size < 0.1) return `${sign}$${size.toFixed(4)}`
  if (size < 1_000) return `${sign}$${size.toFixed(2)}`
  return `${sign}$${GROUPED.format(Math.round(size))}`
}

export function percent(share: number): string {
  if (share > 0.99 && share < 1) return "> 99%"
  if (share > 0 && share < 0.01) return "< 1%"
  return `${Math.round(share * 100)}%`
}

/** A change, with its sign. */
export function change(value: number): string {
  if (Math.round(value) === 0) return "±0"
  return `${value > 0 ? "+" : "−"}${count(Math.abs(value))}`
}

/** "41 min", "6 s", "3 h 5 min". */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} days`
}

/** The time of the day in the reader's zone, such as "09:14". */
export function clock(at: number): string {
  const time = new Date(at)
  return `${two(time.getHours())}:${two(time.getMinutes())}`
}

/** Such as "18 Nov 09:14"; with the year if it is another one. */
export function moment(at: number, now = Date.now()): string {
  const time = new Date(at)
  const year = time.getFullYear() === new Date(now).getFullYear() ? "" : ` ${time.getFullYear()}`
  return `${time.getDate()} ${MONTHS[time.getMonth()]}${year} ${clock(at)}`
}

export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

function two(value: number): string {
  return String(value).padStart(2, "0")
}

// The Chromium that opens the page: for tests, pictures and measurements.
import chromium from "@sparticuz/chromium"
import { type Browser, chromium as playwright } from "playwright-core"

// The page draws nothing in three dimensions, and without a graphics card that costs a process.
chromium.setGraphicsMode = false

/**
 * Of those that the package proposes, all but these: one switches off what keeps origins apart, and in a single process
 * the browser ends with the first page that is closed.
 */
const LEFT_OUT = ["--disable-web-security", "--single-process", "--no-zygote"]
const ARGS = chromium.args.filter((argument) => !LEFT_OUT.includes(argument))

export async function launchChromium(): Promise<Browser> {
  const executablePath = await chromium.executablePath()
  return playwright.launch({ executablePath, args: ARGS, headless: true })
}

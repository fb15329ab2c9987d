import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

let browser: Promise<Browser> | undefined

/** The browser that all test files of a worker share. It ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= openBrowser()
  return browser
}

async function openBrowser(): Promise<Browser> {
  const { executablePath, args, env } = inject('browser')
  return await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
}

import { type RunningHttpServer, startHttpServer } from '@storekeep/common/http'
import { createApp } from './app.ts'
import type { PagesConfig } from './config.ts'
import { type ContextOverrides, createContext } from './context.ts'

/** Starts the pages; `overrides` are for tests. */
export async function start(config: PagesConfig, overrides: ContextOverrides = {}): Promise<RunningHttpServer> {
  const ctx = createContext(config, overrides)
  return startHttpServer('pages', createApp, ctx)
}

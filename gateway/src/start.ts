import { type RunningHttpServer, startHttpServer } from '@storekeep/common/http'
import { createApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import { type ContextOverrides, createContext } from './context.ts'

/** Starts the gateway; `overrides` are for tests. */
export async function start(config: GatewayConfig, overrides: ContextOverrides = {}): Promise<RunningGateway> {
  const ctx = createContext(config, overrides)
  return startHttpServer('gateway', createApp, ctx)
}

export type RunningGateway = RunningHttpServer

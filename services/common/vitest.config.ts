import { defineConfig } from 'vitest/config'

/** Tests with real servers may take a while on a busy machine; none of them measures time. */
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } })

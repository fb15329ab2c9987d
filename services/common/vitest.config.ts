import { defineConfig } from 'vitest/config'

/**
 * Tests with real servers may take a while on a busy machine; none of them measures time. The files share nothing but
 * modules.
 */
export default defineConfig({ test: { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 } })

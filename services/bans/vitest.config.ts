import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'bans',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Room for a loaded machine; what a test waits for is polled.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
})

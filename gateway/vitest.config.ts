import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'gateway',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Its files share nothing but modules, whose loading takes most of their time.
    isolate: false,
    // Room for a loaded machine; what a test waits for is polled.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
})

import { fileURLToPath } from 'node:url'
import { defineProject } from 'vitest/config'

/** One system for all files; they run beside each other in stores of their own. */
export default defineProject({
  test: {
    name: 'acceptance',
    include: ['**/*.test.ts'],
    // The files share nothing but modules, whose loading took a third of their time.
    isolate: false,
    globalSetup: fileURLToPath(new URL('../kit/global-setup.ts', import.meta.url)),
    testTimeout: 20_000,
    // Enough to start a whole system on a busy machine: a file may have one of its own.
    hookTimeout: 180_000,
  },
})

import { defineProject } from 'vitest/config'

/** Each file starts a system of its own and breaks it, so they take turns. */
export default defineProject({
  test: {
    name: 'faults',
    include: ['**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 90_000,
  },
})

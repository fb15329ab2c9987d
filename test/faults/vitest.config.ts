import { defineProject } from 'vitest/config'

/** Each file starts a system of its own and breaks it, so they take turns, after all other tests. */
export default defineProject({
  test: {
    name: 'faults',
    include: ['**/*.test.ts'],
    fileParallelism: false,
    sequence: { groupOrder: 1 },
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})

import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'chart',
    include: ['*.test.ts'],
    // Room for a loaded machine: a rendering is a process of its own.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})

import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'chart',
    include: ['*.test.ts'],
    // So that files share what is rendered.
    isolate: false,
    // Helm ends before its garbage is worth collecting; that saves a quarter of its time.
    env: { GOGC: 'off' },
    // Room for a loaded machine: a rendering is a process of its own.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})

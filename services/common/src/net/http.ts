import { createRequire } from 'node:module'

/**
 * The module `node:http`. An `import` would read all of its exports, which loads the WebSocket client: 13 MB of memory and 25 ms of
 * CPU time in each process.
 */
export const http: typeof import('node:http') = createRequire(import.meta.url)('node:http')

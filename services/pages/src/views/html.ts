import type { html } from 'hono/html'

/** Escaped HTML. */
export type Html = ReturnType<typeof html>

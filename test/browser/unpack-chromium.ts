import { fileURLToPath } from 'node:url'
import packaged, { inflate } from '@sparticuz/chromium'

// Unpacks Chromium, its fonts and the libraries that a minimal Linux lacks into the temporary folder. Run by find-browser.ts.
await Promise.all([
  packaged.executablePath(),
  inflate(fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')))),
])

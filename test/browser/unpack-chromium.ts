import packaged from '@sparticuz/chromium'

// Unpacks Chromium and its fonts into the temporary folder. Run by find-browser.ts.
await packaged.executablePath()

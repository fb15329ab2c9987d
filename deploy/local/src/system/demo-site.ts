import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { demoStores } from './demo-stores.ts'

/**
 * Serves what the demo stores refer to: their images, and a page for each address of their website. Only on the loopback
 * interface: the images service fetches from it, and browsers on this machine load the pages.
 * @returns its address, and how to stop it
 */
export async function startDemoSite(port: number): Promise<{ url: string; stop: () => Promise<void> }> {
  const files = readSiteFiles()
  const server = createServer(({ method, url = '' }, response) => {
    const file = method === 'GET' || method === 'HEAD' ? files.get(url) : undefined
    if (file) send(response, 200, file)
    else
      send(response, 404, { type: 'text/plain; charset=utf-8', body: 'No file of the demo stores is at this path.\n' })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface SiteFile {
  type: string
  body: Buffer | string
}

/** Every file by its path. */
function readSiteFiles(): Map<string, SiteFile> {
  const images = readdirSync(imageFolder)
    .filter((name) => name.endsWith('.webp'))
    .map((name) => [`/images/${name}`, { type: 'image/webp', body: readFileSync(new URL(name, imageFolder)) }] as const)
  const pages = demoStores.flatMap(({ slug, name }) =>
    Object.entries(pageTexts).map(
      ([path, text]) => [`/${slug}${path}`, { type: 'text/html; charset=utf-8', body: page(name, text) }] as const,
    ),
  )
  return new Map<string, SiteFile>([...images, ...pages])
}

function send(response: ServerResponse, status: number, { type, body }: SiteFile): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}

const pageTexts = {
  '': 'website',
  '/terms': 'terms of sale',
  '/privacy': 'privacy policy',
  '/refunds': 'refund policy',
}

function page(store: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${store}: ${text}</title>
<h1>${store}</h1>
<p>The ${text} of your store would be here. Set its address with <code>PATCH /v1/stores/{storeId}</code>.</p>
</html>
`
}

const imageFolder = new URL('../../demo-images/', import.meta.url)

/** Reads a small body in UTF-8. @throws Error for a longer or invalid one */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done || !value) break
      size += value.byteLength
      if (size > maxBytes) throw new Error(`the provider returned more than ${maxBytes} bytes`)
      chunks.push(value)
    }
  } finally {
    reader?.releaseLock()
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

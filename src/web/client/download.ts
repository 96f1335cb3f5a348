import { client } from './client.ts'
import type { Query } from './http.ts'

/**
 * Fetches a file with the bearer header and saves it through the browser, under the name that the server
 * gives.
 */
export async function download(path: string, query: Query = {}) {
  const response = await client.raw('GET', path, { query, headers: { accept: '*/*' } })
  saveFile(fileName(response.headers.get('content-disposition') ?? ''), await response.blob())
}

/** Saves a file through the browser. */
export function saveFile(name: string, content: Blob) {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the browser holds the data itself.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** From `attachment; filename*=UTF-8''…` */
function fileName(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  return encoded === undefined ? 'download' : decodeURIComponent(encoded)
}

import { client } from './client.ts'
import type { Query } from './http.ts'

/**
 * Fetches a file with the bearer header and hands it to the browser to keep, under the name that the server
 * gives.
 */
export async function download(path: string, query: Query = {}) {
  const response = await client.raw('GET', path, { query, headers: { accept: '*/*' } })
  saveFile(fileName(response.headers.get('content-disposition') ?? ''), await response.blob())
}

/** Hands the browser a file to keep. */
export function saveFile(name: string, content: Blob) {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // After the click the browser has its own hold of it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** From `attachment; filename*=UTF-8''…` */
function fileName(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  return encoded === undefined ? 'download' : decodeURIComponent(encoded)
}

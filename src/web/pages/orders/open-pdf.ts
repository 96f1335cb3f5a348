import { client } from '#web/client/client.ts'

/** Opens a document in a tab of its own, fetched with the bearer header, which a link would not send. */
export async function openPdf(path: string) {
  const response = await client.raw('GET', path, { headers: { accept: '*/*' } })
  const url = URL.createObjectURL(await response.blob())
  window.open(url, '_blank', 'noopener')
  // By then the tab holds the data itself.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

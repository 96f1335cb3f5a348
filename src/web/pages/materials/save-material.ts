import type { File as StoredFile } from '#shared/api/materials.ts'
import { client } from '#web/client/client.ts'
import { materialPaths, type MaterialKind } from './paths.ts'

/**
 * Saves one through the browser, which streams it to the disk: nothing of a video is held in memory. Its link
 * is requested anew, since that of a page that has been open for a while has expired.
 */
export async function saveMaterial(kind: MaterialKind, id: number) {
  const { url, name } = await client.get<StoredFile>(`${materialPaths[kind]}${id}/`)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

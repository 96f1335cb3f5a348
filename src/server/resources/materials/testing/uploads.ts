import type { ApiResponse, Client } from '#server/http/testing/api.ts'

interface Upload {
  path: '/api/image/' | '/api/file/'
  bytes: Uint8Array | string
  file_name?: string
  /** As the browser says; nothing believes it. */
  type?: string
  advertiser?: number
  name?: string
  tags?: readonly string[]
}

/** As the page uploads it: the texts first. */
export async function upload(
  who: Client,
  { path, bytes, file_name = 'banner.png', type = 'image/png', advertiser, name, tags }: Upload,
): Promise<ApiResponse> {
  const form = new FormData()
  if (advertiser !== undefined) form.append('advertiser', String(advertiser))
  if (name !== undefined) form.append('name', name)
  if (tags) form.append('tags', JSON.stringify(tags))
  form.append(
    'file',
    new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], file_name, { type }),
  )
  return await who.post(path, form)
}

/** The bytes that a link leads to. */
export async function download(origin: string, url: string, headers: Record<string, string> = {}) {
  const response = await fetch(origin + url, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

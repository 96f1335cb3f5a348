import { session } from './client.ts'
import { createClient, type HttpEffects } from './http.ts'
import { noteReachable } from './reachability.ts'

/** How much of a body has been sent, from 0 to 1. */
export type OnProgress = (share: number) => void

interface UploadOptions {
  body: FormData
  signal: AbortSignal
  onProgress: OnProgress
}

/** Sends files as the client sends everything else, and says how far it is. */
export const uploader = {
  post: <Reply>(path: string, { onProgress, ...options }: UploadOptions): Promise<Reply> =>
    createClient({
      fetch: fetchWithProgress(onProgress),
      session,
      reachable: noteReachable,
      pause: ms => new Promise(resolve => setTimeout(resolve, ms)),
    }).post<Reply>(path, options),
}

/** As fetch, which itself says nothing of the body that it sends. */
export const fetchWithProgress =
  (onProgress: OnProgress, open = () => new XMLHttpRequest()): HttpEffects['fetch'] =>
  (path, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = open()
      const abort = () => request.abort()
      request.open(method, path)
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value))
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        onProgress(total > 0 ? loaded / total : 0),
      )
      request.addEventListener('load', () => resolve(responseOf(request)))
      request.addEventListener('error', () => reject(new TypeError('the connection broke off')))
      request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) return reject(signal.reason)
      request.send(body instanceof FormData ? body : null)
      return undefined
    })

function responseOf(request: XMLHttpRequest) {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r\n/)) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  // A Response refuses a body, even an empty one, where its status has none.
  const body = request.responseText === '' ? null : request.responseText
  return new Response(body, { status: request.status, headers })
}

import { fireEvent } from '@testing-library/react'
import { onTestFinished, vi } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import { session } from '#web/client/client.ts'
import { forgetTray } from '#web/client/tray.ts'
import { uploader, type OnProgress } from '#web/client/upload.ts'
import { aurora } from '#web/pages/customers/testing/samples.ts'
import { Files } from '#web/pages/materials/files/files.tsx'
import { Images } from '#web/pages/materials/images/images.tsx'
import type { Uploaded } from '#web/pages/materials/uploads/upload-queue.ts'
import { UploadTray } from '#web/pages/materials/uploads/upload-tray.tsx'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { imageOf, storedFileOf } from './samples.ts'

interface Drawn {
  search?: object
  answers?: Readonly<Record<string, unknown>>
  identity?: IdentityName
  /** Whose the session is; left out: of whom the page is drawn for. */
  signedIn?: number
}

const GIB = 1024 ** 3

/** A form that is on its way; the test says what becomes of it. */
export interface Sent {
  path: string
  body: FormData
  signal: AbortSignal
  onProgress: OnProgress
  end: PromiseWithResolvers<Uploaded>
}

export const drawImages = (drawn: Drawn = {}) => drawPage('image', drawn)
export const drawFiles = (drawn: Drawn = {}) => drawPage('file', drawn)

/** Draws the page and, as the shell does, the uploads in its corner. */
function drawPage(kind: 'image' | 'file', { search, answers, identity = 'staff', signedIn = 7 }: Drawn) {
  const sent: Sent[] = []
  const token = vi.spyOn(session, 'token')
  token.mockResolvedValue(`head.${btoa(JSON.stringify({ sub: String(signedIn) }))}.signature`)
  const post = vi.spyOn(uploader, 'post').mockImplementation(async (path, options) => {
    const end = Promise.withResolvers<Uploaded>()
    sent.push({ path, ...options, end })
    return (await end.promise) as never
  })
  onTestFinished(() => {
    forgetTray()
    post.mockRestore()
    token.mockRestore()
    localStorage.clear()
  })
  const calls = serve({
    'GET /api/image/': listOf([imageOf()]),
    'GET /api/image/5/': imageOf(),
    'GET /api/image/tags/': [
      { tag: 'autumn', count: 4 },
      { tag: 'sale', count: 1 },
    ],
    'GET /api/file/': listOf([storedFileOf()]),
    'GET /api/file/6/': storedFileOf(),
    'GET /api/file/tags/': [{ tag: 'autumn', count: 4 }],
    'GET /api/file/usage/': { used: 1.5 * GIB, allowed: 2 * GIB },
    'GET /api/advertiser/': listOf([aurora]),
    'GET /api/advertiser/1/': aurora,
    ...answers,
  })
  const page = kind === 'image' ? <Images /> : <Files />
  const went = drawAt(
    <>
      {page}
      <UploadTray />
    </>,
    { path: `/material/${kind}`, search: { search: '', page: 1, ...search } },
    { identity },
  )
  return {
    calls,
    went,
    sent,
    changes: () => changesIn(calls).map(({ method, path, body }) => [method, path, body]),
    searches: () => went.map(each => Object(each).search),
  }
}

/** Drops files somewhere on the page. */
export function drop(...files: readonly File[]) {
  const items = files.map(() => ({ webkitGetAsEntry: () => null }))
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files, items } })
}

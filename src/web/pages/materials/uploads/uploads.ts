import type { File as StoredFile, Image } from '#shared/api/materials.ts'
import { session } from '#web/client/client.ts'
import { Problem } from '#web/client/problem.ts'
import { reachability } from '#web/client/reachability.ts'
import { uploader } from '#web/client/upload.ts'
import { materialPaths } from '#web/pages/materials/paths.ts'
import { createUploadQueue, isUnderWay, type QueueEffects, type Upload } from './upload-queue.ts'

const send: QueueEffects['send'] = async (upload, options) => {
  // Somebody else may have signed in meanwhile, also in another tab: the cookies are the same.
  if ((await signedIn()) !== upload.user) throw new Problem({ code: 'unauthenticated', status: 401 })
  return await uploader.post<Image | StoredFile>(materialPaths[upload.envelope.kind], {
    body: formOf(upload),
    ...options,
  })
}

/** Whose the access token is that would be sent. */
async function signedIn(): Promise<number | null> {
  const claims = (await session.token())?.split('.')[1]
  if (claims === undefined) return null
  return Number(JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).sub)
}

/** The texts before the file: the server reads them in this order. */
function formOf({ file, envelope: { advertiser, tags } }: Upload) {
  const body = new FormData()
  if (advertiser !== null) body.append('advertiser', String(advertiser))
  if (tags.length > 0) body.append('tags', JSON.stringify(tags))
  body.append('file', file, file.name)
  return body
}

async function recovery({ code, retry_after_ms }: Problem) {
  await new Promise(resolve => {
    setTimeout(resolve, retry_after_ms ?? LEAST_WAIT_MS)
  })
  if (code === 'unreachable') await reached()
}

const LEAST_WAIT_MS = 1000

const reached = () =>
  new Promise<void>(resolve => {
    if (reachability.get() === 'reached') return resolve()
    const leave = reachability.subscribe(() => {
      if (reachability.get() !== 'reached') return
      leave()
      resolve()
    })
    return undefined
  })

/** Those of this tab. */
export const queue = createUploadQueue({ send, recovery })

// A person who leaves the tab is warned while something is under way.
const warn = (event: Event) => event.preventDefault()
queue.uploads.subscribe(() => {
  if (queue.uploads.get().some(isUnderWay)) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
})

import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import { Audiences } from '#web/pages/audiences/audiences.tsx'
import { createHashing, type Hashing } from '#web/pages/audiences/hashing/hashing.ts'
import { HasherSource } from '#web/pages/audiences/hashing/use-hasher.ts'
import { running } from '#web/pages/audiences/upload/running.ts'
import { aurora } from '#web/pages/customers/testing/samples.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { accountOf, audienceOf } from './samples.ts'

interface Drawn {
  search?: object
  answers?: Readonly<Record<string, unknown>>
  identity?: IdentityName
  hashing?: Partial<Hashing>
}

const PATH = '/lta-audience/audience-list'

/** Draws the page; what hashes is no thread here, but does the same. */
export function drawAudiences(drawn: Drawn = {}) {
  return drawHashing(<Audiences />, drawn)
}

export function drawHashing(content: ReactNode, { search, answers, identity = 'manager', hashing }: Drawn) {
  const calls = serve({
    'GET /api/lta/': listOf([audienceOf()]),
    'GET /api/lta/5/': audienceOf(),
    'GET /api/advertiser/': listOf([aurora]),
    'GET /api/advertiser/1/': aurora,
    'GET /api/ad/account/': listOf([accountOf()]),
    ...answers,
  })
  onTestFinished(() => {
    for (const upload of running.get()) upload.cancel()
  })
  const went = drawAt(
    <HasherSource value={() => ({ ...createHashing(), ...hashing, close: () => {} })}>
      {content}
    </HasherSource>,
    { path: PATH, search: { search: '', page: 1, ...search } },
    { identity },
  )
  return {
    calls,
    went,
    changes: () => changesIn(calls).map(({ method, path, body }) => [method, path, body]),
  }
}

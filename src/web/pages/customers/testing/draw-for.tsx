import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { IdentityName } from '#shared/access.ts'
import type { IdentityReply } from '#shared/api/people.ts'
import { Me } from '#web/client/me.ts'
import { createQueryClient } from '#web/client/query-client.ts'
import { draw } from '#web/testing/render.tsx'

/** Draws a page for somebody of the agency. */
export function drawFor(
  page: ReactNode,
  { identity = 'manager', department = 2 }: { identity?: IdentityName; department?: number | null } = {},
) {
  const me = { user_id: 7, identity, department, language: 'en' } as IdentityReply
  return draw(
    <QueryClientProvider client={createQueryClient()}>
      <Me value={me}>{page}</Me>
    </QueryClientProvider>,
  )
}

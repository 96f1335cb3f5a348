import type { Target } from '#server/connectors/audience.ts'
import type { AccountRef } from '#server/connectors/connector.ts'
import { externalName, isNamedFor } from '#server/connectors/kit/audience-names.ts'
import { isRefusal, unreadable } from '#server/connectors/kit/failures.ts'
import { callApi, pathOf, send } from './client.ts'
import { NOT_FOUND } from './failures.ts'
import { AudienceList, type AudienceNode, type LineIo, NewAudience, UploadJobs } from './schema.ts'

// One call of LINE's each.

const LONGEST_NAME = 120
const PAGE_SIZE = 100
const MOST_PAGES = 100

/** Whether the role of the key includes audiences shows in any call about them. */
export const listOnce = (account: AccountRef, io: LineIo) => pageOf(account, { page: 1, size: 1 }, io)

/** The audience that was made for this target; its name says so. */
export const findMade = (target: Target, io: LineIo) =>
  findIn(target.account, ({ name }) => isNamedFor(target, name), io)

/** LINE has no request for one audience; null when it is not there any more. */
export const findById = ({ account, external_id }: Target, io: LineIo) =>
  findIn(account, ({ id }) => id === external_id, io)

/** Looks at all of them: how LINE compares names is not documented. */
async function findIn(
  account: AccountRef,
  is: (audience: AudienceNode) => boolean,
  io: LineIo,
): Promise<AudienceNode | null> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { hasNextPage, audienceGroups } = await pageOf(account, { page, size: PAGE_SIZE }, io)
    const found = audienceGroups.find(is)
    if (found) return found
    if (!hasNextPage) return null
  }
  throw unreadable('custom-audiences: pages without end')
}

async function pageOf(
  { external_id }: AccountRef,
  { page, size }: { page: number; size: number },
  io: LineIo,
) {
  const params = [
    ['page', String(page)],
    ['size', String(size)],
  ] as const
  return await callApi({ path: pathOf`adaccounts/${external_id}/custom-audiences`, params }, AudienceList, io)
}

/** Adds a file to the audience, replaces what is in it, or makes one of it: the id of the audience. */
export async function uploadFile(
  target: Target,
  {
    bytes,
    index,
    id,
    action,
  }: { bytes: Buffer; index: number; id: string | null; action: 'ADD' | 'REPLACE' },
  io: LineIo,
): Promise<string> {
  const { account, part, audience } = target
  const idType = part.part === 'phone' ? 'HASHED_PHONE_NUMBER' : 'HASHED_EMAIL'
  const which = id === null ? { name: externalName(target, LONGEST_NAME) } : { id }
  const call = {
    method: 'POST' as const,
    path: pathOf`adaccounts/${account.external_id}/custom-audiences/upload`,
    form: {
      fields: { ...which, action, idType },
      file: { name: `${audience.tag}-${part.part}-${index}.csv`, bytes },
    },
  }
  const made = await callApi(call, NewAudience, io)
  if (id !== null && made.id !== id) throw unreadable('custom-audiences/upload: another audience')
  return made.id
}

/** The uploads of an audience. */
export async function jobsOf({ external_id }: AccountRef, id: string, io: LineIo) {
  const path = pathOf`adaccounts/${external_id}/custom-audiences/${id}/upload-job`
  return (await callApi({ path }, UploadJobs, io)).jobs
}

/** One that is gone is no failure. */
export async function deleteAudience({ external_id }: AccountRef, id: string, io: LineIo): Promise<void> {
  const path = pathOf`adaccounts/${external_id}/custom-audiences/${id}`
  try {
    await send({ method: 'DELETE', path, params: [['ids', id]] }, io)
  } catch (error) {
    if (!isRefusal(error, NOT_FOUND)) throw error
  }
}

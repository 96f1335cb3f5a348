import { hash } from 'node:crypto'
import { chunked } from '#shared/chunked.ts'
import type { Target } from '#server/connectors/audience.ts'
import type { AccountRef } from '#server/connectors/connector.ts'
import { externalName, isNamedFor } from '#server/connectors/kit/audience-names.ts'
import { isRefusal, unreadable } from '#server/connectors/kit/failures.ts'
import { callApi } from './client.ts'
import { NOT_FOUND } from './failures.ts'
import {
  AdvertiserOwner,
  AudienceDetails,
  AudienceList,
  type AudienceNode,
  NewAudience,
  Nothing,
  type TikTokIo,
  UploadedFile,
} from './schema.ts'

// One call of TikTok's each.

const BASE = 'dmp/custom_audience/'
const LONGEST_NAME = 128
const PAGE_ROWS = 100
const MOST_PAGES = 100
const MOST_RECIPIENTS = 10
const LONGEST_RETENTION = 365

export async function ownerOf({ external_id }: AccountRef, io: TikTokIo) {
  const params = { advertiser_ids: [external_id], fields: ['advertiser_id', 'status', 'owner_bc_id'] }
  const call = { path: 'advertiser/info/', params, account: external_id }
  const [owner] = (await callApi(call, AdvertiserOwner, io)).data.list
  if (owner?.advertiser_id !== external_id) throw unreadable('advertiser/info/: another advertiser')
  return owner
}

/** Whether the login may use the account's audiences shows in any call about them. */
export const listOnce = (account: AccountRef, io: TikTokIo) => pageOf(account, { page: 1, page_size: 1 }, io)

/** The audience that was made for this target; its name says so. */
export async function findMade(target: Target, io: TikTokIo): Promise<AudienceNode | null> {
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { list, page_info } = await pageOf(target.account, { page, page_size: PAGE_ROWS }, io)
    const made = list.find(({ name }) => isNamedFor(target, name))
    if (made) return made
    last = page_info.total_page
    if (last > MOST_PAGES) throw unreadable(`${BASE}list/: ${last} pages`)
  }
  return null
}

async function pageOf({ external_id }: AccountRef, at: { page: number; page_size: number }, io: TikTokIo) {
  const params = { advertiser_id: external_id, ...at }
  return (await callApi({ path: `${BASE}list/`, params, account: external_id }, AudienceList, io)).data
}

/** null when it is not there any more. */
export async function detailsOf({ account, external_id }: Target, io: TikTokIo) {
  const params = { advertiser_id: account.external_id, custom_audience_ids: [external_id], history_size: 1 }
  const call = { path: `${BASE}get/`, params, account: account.external_id }
  try {
    const { list } = (await callApi(call, AudienceDetails, io)).data
    return list.find(({ audience_details }) => audience_details.audience_id === external_id) ?? null
  } catch (error) {
    if (isRefusal(error, NOT_FOUND)) return null
    throw error
  }
}

export async function uploadFile(
  { account, part, audience }: Target,
  { bytes, index }: { bytes: Buffer; index: number },
  io: TikTokIo,
) {
  const name = `${audience.tag}-${part.part}-${index}.csv`
  const params = {
    advertiser_id: account.external_id,
    calculate_type: typeOf(part),
    file_name: name,
    file_signature: hash('md5', bytes),
  }
  const { data, request_id } = await callApi(
    {
      method: 'POST',
      path: `${BASE}file/upload/`,
      params,
      account: account.external_id,
      file: { name, bytes },
    },
    UploadedFile,
    io,
  )
  return { ...data, request_id }
}

const typeOf = ({ part }: Target['part']) => (part === 'phone' ? 'PHONE_SHA256' : 'EMAIL_SHA256')

export async function createAudience(target: Target, filePaths: string[], io: TikTokIo): Promise<string> {
  const { account, part, audience } = target
  const body = {
    custom_audience_name: externalName(target, LONGEST_NAME),
    file_paths: filePaths,
    calculate_type: typeOf(part),
    retention_in_days: Math.min(audience.window_days, LONGEST_RETENTION),
  }
  const call = { ...changeOf('create/', account, body), is_once: true }
  return (await callApi(call, NewAudience, io)).data.custom_audience_id
}

export async function updateAudience(
  { account, external_id }: Target,
  files: { file_paths: string[]; action: 'APPEND' | 'REMOVE' | 'REPLACE' },
  io: TikTokIo,
): Promise<void> {
  const body = { custom_audience_id: external_id, ...files }
  await callApi(changeOf('update/', account, body), Nothing, io)
}

export async function deleteAudience(account: AccountRef, id: string, io: TikTokIo): Promise<void> {
  await callApi(changeOf('delete/', account, { custom_audience_ids: [id] }), Nothing, io)
}

/** Shares with accounts of the same business center, or stops it. */
export async function shareAudience(
  { account, external_id }: Target,
  recipients: readonly AccountRef[],
  { path, io }: { path: 'share/' | 'share/cancel/'; io: TikTokIo },
): Promise<void> {
  if (external_id === null) return
  for (const some of chunked(recipients, MOST_RECIPIENTS)) {
    const body = {
      custom_audience_ids: [external_id],
      shared_advertiser_ids: some.map(recipient => recipient.external_id),
    }
    await callApi(changeOf(path, account, body), Nothing, io)
  }
}

const changeOf = (path: string, { external_id }: AccountRef, body: Readonly<Record<string, unknown>>) => ({
  method: 'POST' as const,
  path: BASE + path,
  params: { advertiser_id: external_id, ...body },
  account: external_id,
})

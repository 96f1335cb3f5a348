import type { z } from 'zod'
import type { Target } from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { isRefusal } from '#server/connectors/kit/failures.ts'
import { type ApiCall, callApi, pagesOf } from './client.ts'
import { AccountStanding, ListedAudience, Made, type MetaIo } from './schema.ts'

type AudienceCall = Omit<ApiCall, 'use' | 'bare_ids'>

export const callAudiences = <Schema extends z.ZodType>(call: AudienceCall, schema: Schema, io: MetaIo) =>
  callApi({ ...call, use: 'audiences', bare_ids: true }, schema, io)

/** The items of a list of an account or an audience, all pages. */
export async function listOf<Schema extends z.ZodType>(
  call: AudienceCall,
  schema: Schema,
  io: MetaIo,
): Promise<z.output<Schema>[]> {
  const pages = await Array.fromAsync(pagesOf({ ...call, use: 'audiences', bare_ids: true }, io))
  return pages.flat().flatMap(item => schema.safeParse(item).data ?? [])
}

/** A call of an audience, or below it. */
export async function callAudience<Schema extends z.ZodType>(
  { target, edge = '', ...call }: Pick<ApiCall, 'method' | 'params'> & { target: Target; edge?: string },
  schema: Schema,
  io: MetaIo,
): Promise<z.output<Schema>> {
  const account = target.account.external_id
  try {
    return await callAudiences({ ...call, path: `${target.external_id}${edge}`, account }, schema, io)
  } catch (error) {
    throw isRefusal(error, NOT_VISIBLE) && (await isReadable(account, io)) ? gone(error) : error
  }
}

/** Meta says the same of what does not exist as of what a login may not see. */
const NOT_VISIBLE = '100/33'

const gone = ({ platform_message, platform_request_id }: PlatformFailure) =>
  new PlatformFailure('audience_gone', { platform_message, platform_request_id })

async function isReadable(account: string, io: MetaIo): Promise<boolean> {
  const call = { path: `act_${account}`, params: { fields: 'account_status' }, account }
  try {
    await callAudiences(call, AccountStanding, io)
    return true
  } catch (error) {
    if (isRefusal(error, NOT_VISIBLE) || isFailure(error, 'no_access')) return false
    throw error
  }
}

const isFailure = (error: unknown, code: PlatformFailure['code']) =>
  error instanceof PlatformFailure && error.code === code

/**
 * The audience of a target, made when it is not there yet. A response that was lost has made one: it is found
 * by the tag in its description.
 */
export async function findOrMake(
  target: Target,
  params: Record<string, string>,
  io: MetaIo,
): Promise<{ id: string; is_new: boolean }> {
  const found = await findAudience(target, io)
  if (found !== null) return { id: found, is_new: false }
  const { name, description, tag } = target.audience
  const { external_id } = target.account
  const call = {
    method: 'POST' as const,
    path: `act_${external_id}/customaudiences`,
    params: { name, description: `${description} [${tag}]`.trim(), ...params },
    account: external_id,
    once: true,
  }
  return { id: (await callAudiences(call, Made, io)).id, is_new: true }
}

/**
 * null: there is none. Those that other accounts share with this one are not its own. Its name may have been
 * changed since, so all are looked through.
 */
export async function findAudience({ account, audience, external_id }: Target, io: MetaIo) {
  if (external_id !== null) return external_id
  const call = {
    path: `act_${account.external_id}/customaudiences`,
    params: { fields: 'id,account_id,description' },
    account: account.external_id,
  }
  const listed = await listOf(call, ListedAudience, io)
  const own = listed.find(
    ({ account_id, description }) =>
      account_id === account.external_id && description.endsWith(`[${audience.tag}]`),
  )
  return own?.id ?? null
}

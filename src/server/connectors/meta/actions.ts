import type { AccountRef, ConversionAction } from '#server/connectors/connector.ts'
import { listedDays, mostFirst } from '#server/connectors/kit/actions.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { parseWith } from '#server/connectors/kit/http.ts'
import { resultWithRestarts } from '#server/connectors/kit/restarts.ts'
import { todayAt } from '#server/connectors/kit/unsupported.ts'
import { pagesOf } from './client.ts'
import { timeParams } from './ranges.ts'
import { ActionRow, type MetaIo } from './schema.ts'

/** The action types of an account that somebody may call a conversion. */
export async function listActions(account: AccountRef, io: MetaIo): Promise<ConversionAction[]> {
  const { external_id } = account
  const call = {
    path: `act_${external_id}/insights`,
    params: {
      level: 'account',
      fields: 'actions,action_values',
      use_unified_attribution_setting: 'true',
      ...timeParams([listedDays(todayAt(account, io.now()))], 'total'),
    },
    account: external_id,
  }
  const pages = await resultWithRestarts(() => Array.fromAsync(pagesOf(call, io)))
  return mostFirst(pages.flat().flatMap(row => actionsOf(parseWith(ActionRow, row, call.path))))
}

function actionsOf({ actions, action_values }: ActionRow): ConversionAction[] {
  const values = new Map(action_values.map(({ action_type, value }) => [action_type, value]))
  return actions
    .filter(({ action_type }) => !NO_CONVERSIONS.has(action_type))
    .map(({ action_type, value }) => ({
      name: action_type,
      conversions: readable(decimal(value), action_type),
      value: values.has(action_type) ? readable(millionths(values.get(action_type)), action_type) : null,
    }))
}

function readable(number: number, actionType: string): number {
  if (Number.isNaN(number)) throw unreadable(`actions: ${actionType}`)
  return number
}

/**
 * What people do with an ad or a post: hardly an account is without it, and none of it is a customer's
 * conversion. Views of a landing page may be one, where nothing further is measured.
 */
const NO_CONVERSIONS: ReadonlySet<string> = new Set([
  'link_click',
  'outbound_click',
  'page_engagement',
  'post_engagement',
  'post_interaction_gross',
  'post_interaction_net',
  'post_reaction',
  'comment',
  'like',
  'post',
  'photo_view',
  'video_view',
  'checkin',
  'onsite_conversion.post_save',
  'onsite_conversion.post_net_save',
  'onsite_conversion.post_net_like',
  'onsite_conversion.post_net_comment',
  'onsite_conversion.post_unlike',
])

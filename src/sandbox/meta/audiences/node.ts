import type { Account } from '#sandbox/dataset/agency.ts'
import { listPage } from '#sandbox/meta/accounts.ts'
import { invalid } from '#sandbox/meta/errors.ts'
import { parseFields, project } from '#sandbox/meta/fields.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import { readFilters, textTest } from '#sandbox/meta/insights/filtering.ts'
import type { Page } from '#sandbox/meta/paging.ts'
import { type Audience, isLookalikeOf } from './audience.ts'
import { flagged, hasLookalikes } from './errors.ts'
import { boundsOf, deleteTimeOf, deliveryOf, isFlagged, operationOf } from './states.ts'
import type { Audiences } from './store.ts'

/** GET /act_X/customaudiences: its own, and those that are shared with it. */
export function audienceList(request: GraphRequest, account: Account, audiences: Audiences): Page {
  const { parameters, now } = request
  const fields = parseFields(parameters.text('fields'), 'id')
  for (const name of ['business_id', 'pixel_id']) parameters.text(name)
  parameters.boolean('fetch_primary_audience')
  const filtering = parameters.json('filtering')
  const tests = (filtering === null ? [] : readFilters(filtering)).map(filter => {
    const { field } = filter
    if (field !== 'id' && field !== 'name') throw invalid(`Filtering field ${field} is not supported`)
    return { field, test: textTest(filter, field) }
  })
  const own = audiences.of(account, now).map(audience => nodeOf(audience, { isOwn: true, now, audiences }))
  const shared = audiences
    .sharedWith(account, now)
    .map(audience => nodeOf(audience, { isOwn: false, now, audiences }))
  return listPage(
    request,
    [...own, ...shared]
      .filter(node => tests.every(({ field, test }) => test(String(node[field]))))
      .map(node => project(node, fields, 'CustomAudience')),
  )
}

/** GET /{audience} */
export function oneAudience(
  request: GraphRequest,
  { audience, isOwn }: { audience: Audience; isOwn: boolean },
  audiences: Audiences,
): unknown {
  const fields = parseFields(request.parameters.text('fields'), 'id')
  request.parameters.refuseUnknown()
  return project(nodeOf(audience, { isOwn, now: request.now, audiences }), fields, 'CustomAudience')
}

/** POST /{audience}: another name or description. */
export function editAudience({ parameters, now }: GraphRequest, audience: Audience): { success: true } {
  const [name, description] = [parameters.text('name'), parameters.text('description')]
  parameters.refuseUnknown()
  if (name === null && description === null) throw invalid('There is nothing to change')
  if (isFlagged(audience, now)) throw flagged.edit()
  if (name !== null) audience.name = name
  if (description !== null) audience.description = description
  return { success: true }
}

/** DELETE /{audience} */
export function deleteAudience(
  { parameters, now }: GraphRequest,
  audience: Audience,
  audiences: Audiences,
): { success: true } {
  parameters.refuseUnknown()
  if (audiences.of(audience.account, now).some(each => isLookalikeOf(each, audience.id)))
    throw hasLookalikes()
  audiences.remove(audience)
  return { success: true }
}

function nodeOf(
  audience: Audience,
  { isOwn, now, audiences }: { isOwn: boolean; now: number; audiences: Audiences },
): Record<string, unknown> {
  const { id, account, name, description, content } = audience
  const { lower, upper } = boundsOf(audience, now)
  const deleteTime = deleteTimeOf(audience, now)
  const lookalikes = audiences.of(account, now).filter(each => isLookalikeOf(each, id))
  return {
    id,
    account_id: account.id,
    name,
    subtype: content.subtype,
    description,
    approximate_count_lower_bound: lower,
    approximate_count_upper_bound: upper,
    delivery_status: deliveryOf(audience, now),
    operation_status: operationOf(audience, now),
    time_created: seconds(audience.created_at),
    time_updated: seconds(audience.changed_at),
    time_content_updated: seconds(audience.changed_at),
    delete_time: deleteTime === null ? undefined : seconds(deleteTime),
    retention_days: 'retention_days' in content ? content.retention_days : 0,
    rule: content.subtype === 'WEBSITE' && content.rule !== '' ? content.rule : undefined,
    customer_file_source: content.subtype === 'CUSTOM' ? content.source : undefined,
    lookalike_spec: content.subtype === 'LOOKALIKE' ? JSON.stringify(content.spec) : undefined,
    lookalike_audience_ids: lookalikes.length > 0 ? lookalikes.map(each => each.id) : undefined,
    sharing_status: {
      sharing_relationship_id: 0,
      status: audience.recipients.size > 0 ? 'SHARED' : 'NOT_SHARED',
    },
    permission_for_actions: {
      can_edit: isOwn,
      can_see_insight: true,
      can_share: isOwn,
      subtype_supports_lookalike: true,
    },
  }
}

const seconds = (ms: number) => Math.floor(ms / 1000)

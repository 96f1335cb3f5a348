import type { Account } from '#sandbox/dataset/agency.ts'
import { invalid } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import type { Audience } from './audience.ts'
import { notEmulated, tooManyAudiences } from './errors.ts'
import { readLookalike } from './lookalike.ts'
import type { Audiences } from './store.ts'
import { refuseWithoutTerms } from './terms.ts'
import { readWebsite } from './website.ts'

const SOURCES = ['USER_PROVIDED_ONLY', 'PARTNER_PROVIDED_ONLY', 'BOTH_USER_AND_PARTNER_PROVIDED']
const MOST_WEBSITES = 10_000

/** POST /act_X/customaudiences: a customer file, the visitors of a website, or a lookalike. */
export function createAudience(request: GraphRequest, account: Account, audiences: Audiences): unknown {
  const { parameters, now } = request
  const name = parameters.text('name')
  const description = parameters.text('description') ?? ''
  const content = readContent(request, account, audiences)
  parameters.refuseUnknown()
  refuseWithoutTerms(account, audiences.terms)
  if (name === null) throw invalid('The parameter name is required')
  const { subtype } = content
  const most = subtype === 'WEBSITE' ? MOST_WEBSITES : audiences.most()
  const others = audiences.of(account, now).filter(audience => audience.content.subtype === subtype)
  if (others.length >= most) throw tooManyAudiences(most)
  const until = subtype === 'CUSTOM' ? 0 : now + audiences.fillingMs()
  const { id } = audiences.add(account, {
    name,
    description,
    content,
    created_at: now,
    changed_at: now,
    filling: { until, size_before: 0, replaces: false },
  })
  return { id }
}

function readContent(request: GraphRequest, account: Account, audiences: Audiences): Audience['content'] {
  const { parameters } = request
  const subtype = parameters.text('subtype') ?? (parameters.text('rule') === null ? null : 'WEBSITE')
  if (subtype === 'WEBSITE') return readWebsite(request, account)
  if (subtype === 'LOOKALIKE') return readLookalike(request, account, audiences)
  if (subtype === null) throw invalid('The parameter subtype is required')
  if (subtype !== 'CUSTOM') throw notEmulated(`audiences of the subtype ${subtype}`)
  const source = parameters.text('customer_file_source')
  if (source === null || !SOURCES.includes(source))
    throw invalid(`customer_file_source must be one of the following values: ${SOURCES.join(', ')}`)
  return { subtype, source, people: new Set(), others: 0, replacement: null }
}

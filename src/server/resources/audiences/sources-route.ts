import { z } from 'zod'
import { AudienceSources } from '#shared/api/audiences.ts'
import { IdText } from '#shared/api/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { findUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { ga4Views, sitesOf } from './detail-queries.ts'

export const sourcesRoute = route('GET', '/api/lta/sources/', {
  summary: 'List what an advertiser’s audiences can be made of: sites with their pixels, audiences of GA4.',
  level: 'external_user',
  kind: 'search',
  transaction: 'own',
  query: z.object({ advertiser: IdText }),
  reply: AudienceSources,
  async run({ query: { advertiser }, user, db, effects: { audiences } }) {
    if (!(await findUsableAdvertiser(db, user, advertiser))) throw refuse('not_found')
    const sites = await sitesOf(db, advertiser)
    const views = await ga4Views(db, { advertiser })
    const read = await Promise.all(
      views.map(async view => ({ ga4_view: view.id, ...(await audiences.ga4Audiences(view)) })),
    )
    return {
      sites,
      ga4: read.flatMap(({ ga4_view, audiences: found }) => found.map(each => ({ ga4_view, ...each }))),
      code: read.find(({ code }) => code !== null)?.code ?? null,
    }
  },
})

import { SearchQuery, SearchReply } from '#shared/api/search.ts'
import { route } from '#server/http/route.ts'
import { findNamed } from './queries.ts'

const search = route('GET', '/api/search/', {
  summary:
    'Find advertisers, target audiences, links, sites, publishers, images and files by name: a few of each, those first that begin with it.',
  level: 'staff',
  query: SearchQuery,
  reply: SearchReply,
  run: async ({ query, user, db }) => ({ results: await findNamed(db, user, query.search) }),
})

export const searchRoutes = [search]

import { SearchQuery, SearchReply, type NamedEntry } from '#shared/api/search.ts'
import { namedKinds } from '#shared/named-kinds.ts'
import { route } from '#server/http/route.ts'
import { findNamed } from './queries.ts'

const search = route('GET', '/api/search/', {
  summary:
    'Find advertisers, target audiences, links, sites, publishers, images and files by name: a few of each, those first that begin with it.',
  level: 'staff',
  query: SearchQuery,
  reply: SearchReply,
  async run({ query, user, db }) {
    const found = await findNamed(db, user, query.search)
    return { results: found.toSorted((one, other) => rankOf(one) - rankOf(other)) }
  },
})

const rankOf = ({ kind }: NamedEntry) => namedKinds.indexOf(kind)

export const searchRoutes = [search]

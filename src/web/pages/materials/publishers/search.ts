import { channelIds } from '#shared/channels/ids.ts'
import { publisherTypes, type PublisherType } from '#shared/materials/publishers.ts'
import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the list. */
export interface PublishersSearch extends ListSearch {
  type?: PublisherType
  channel?: (typeof channelIds)[number]
  /** The one that is open beside the list. */
  publisher?: number
}

const readList = listSearch(['name', 'type', 'channel', 'last_modified_at'])

export function publishersSearch(raw: Raw): PublishersSearch {
  const type = publisherTypes.find(name => name === raw.type)
  const channel = channelIds.find(name => name === raw.channel)
  return {
    ...readList(raw),
    ...(type && { type }),
    ...(channel && { channel }),
    ...(isId(raw.publisher) && { publisher: raw.publisher }),
  }
}

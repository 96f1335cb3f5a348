import { audienceKinds, audienceStatuses, shareStates } from '#shared/audiences.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

export const drawerTabs = ['overview', 'shares', 'uploads', 'history'] as const
export type DrawerTab = (typeof drawerTabs)[number]

/** The URL parameters of the list of audiences. */
export interface AudiencesSearch extends ListSearch {
  advertiser?: number
  kind?: (typeof audienceKinds)[number]
  status?: (typeof audienceStatuses)[number]
  share_state?: (typeof shareStates)[number]
  channel?: (typeof channelIds)[number]
  /** The open one, and what of it. */
  audience?: number
  tab?: DrawerTab
}

const read = listSearch(['name', 'advertiser', 'kind', 'rows', 'last_upload', 'last_modified_at'])

export function audiencesSearch(raw: Raw): AudiencesSearch {
  const kind = audienceKinds.find(name => name === raw.kind)
  const status = audienceStatuses.find(name => name === raw.status)
  const state = shareStates.find(name => name === raw.share_state)
  const channel = channelIds.find(name => name === raw.channel)
  const tab = drawerTabs.find(name => name === raw.tab)
  return {
    ...read(raw),
    ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...(kind && { kind }),
    ...(status && { status }),
    ...(state && { share_state: state }),
    ...(channel && { channel }),
    ...(isId(raw.audience) && { audience: raw.audience, ...(tab && { tab }) }),
  }
}

import type { CreatePublisher, Publisher } from '#shared/api/materials.ts'
import { filledIn } from '#web/ui/contact-list.tsx'
import { completed, isWebAddress } from '#web/ui/web-address-field.tsx'

/** A publisher while it is being edited: its website may be no address yet. */
export type PublisherDraft = Pick<Publisher, 'name' | 'type' | 'channel' | 'website' | 'contacts' | 'note'>

export const EMPTY_PUBLISHER: PublisherDraft = {
  name: '',
  type: 'other',
  channel: null,
  website: '',
  contacts: [],
  note: '',
}

export const publisherDraft = ({
  name,
  type,
  channel,
  website,
  contacts,
  note,
}: Publisher): PublisherDraft => ({ name, type, channel, website, contacts, note })

/** What is sent; null: something in the draft cannot be. */
export function publisherBody(draft: PublisherDraft): Required<CreatePublisher> | null {
  const name = draft.name.trim()
  const website = completed(draft.website)
  if (name === '' || (website !== '' && !isWebAddress(website))) return null
  return { ...draft, name, website, contacts: filledIn(draft.contacts) }
}

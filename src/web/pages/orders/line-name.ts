import type { QuotationLine } from '#shared/api/quotations.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import type { Language } from '#shared/language.ts'

/** "Meta ads · Awareness": what a line is of, and what it is called. */
export const lineName = (
  { channel, publisher, title }: Pick<QuotationLine, 'channel' | 'publisher' | 'title'>,
  language: Language,
): string =>
  [channel === null ? publisher : channelNames[channel][language], title].filter(Boolean).join(' · ')

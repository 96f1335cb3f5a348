import type { Channel } from './channels/catalogue.ts'
import type { Language } from './language.ts'

/** The parts of the instructions page, by the ids that links to them end with. */
export const instructionSections = ['meta', 'google-ads', 'yahoo', 'tiktok', 'line', 'ga4', 'sheets'] as const
export type InstructionSection = (typeof instructionSections)[number]

/** Where it says how an account of a channel is authorised. */
const sections: Record<Channel, InstructionSection> = {
  fb: 'meta',
  aw: 'google-ads',
  aw_keyword: 'google-ads',
  yg: 'yahoo',
  tt: 'tiktok',
  ln: 'line',
  ga: 'ga4',
  ga_event: 'ga4',
  ga4: 'ga4',
}

/** Of the channel where it is known. */
export const instructionsPath = (channel?: Channel | undefined): string =>
  `/setting/instructions${channel ? `#${sections[channel]}` : ''}`

/** What the texts of errors call the page: there they become a link to it. */
export const instructionsName: Record<Language, string> = { en: 'instructions', 'zh-TW': '授權說明' }

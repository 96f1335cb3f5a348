import type { Channel } from '#shared/channels/catalogue.ts'
import { createStore } from './store.ts'

export type HelpTopic = 'page' | 'shortcuts' | 'sharing' | 'accounts' | 'news'

/** What is open over the page; of the accounts perhaps the part about one channel. */
export const openHelp = createStore<{ topic: HelpTopic; channel?: Channel } | null>(null)

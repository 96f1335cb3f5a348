import { createStore } from './store.ts'

export type HelpTopic = 'page' | 'shortcuts' | 'sharing' | 'news'

/** What is open over the page. */
export const openHelp = createStore<{ topic: HelpTopic } | null>(null)

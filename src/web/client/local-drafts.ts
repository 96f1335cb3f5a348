/**
 * What somebody has changed and not saved, in this browser: it survives a crash, a closed tab and the end of
 * the session. One entry for each thing that is edited, under the person's id, so that nobody is offered what
 * somebody else has typed here.
 */
export interface LocalDraft<Content> {
  /** When it was last changed, in milliseconds since 1970. */
  at_ms: number
  content: Content
}

const PREFIX = 'sheetcast.draft.'
/** Older ones are removed. */
export const MOST_AGE_MS = 7 * 24 * 60 * 60_000
/** Longer ones are not stored. */
export const MOST_LENGTH = 200_000
/** So many for one person; the oldest are removed. */
export const MOST_DRAFTS = 20

const keyOf = (person: number, name: string) => `${PREFIX}${person}.${name}`

/** The names of a person's drafts that begin so, the latest first. */
export const draftNames = (person: number, beginning: string) =>
  draftsOf(keyOf(person, beginning)).map(({ key }) => key.slice(keyOf(person, '').length))

/** `isContent` decides whether this version of the page can read it. */
export function readLocalDraft<Content>(
  person: number,
  name: string,
  isContent: (content: unknown) => content is Content,
): LocalDraft<Content> | null {
  const draft = parse(localStorage.getItem(keyOf(person, name)))
  return draft && isContent(draft.content) ? { ...draft, content: draft.content } : null
}

export function writeLocalDraft(person: number, name: string, draft: LocalDraft<unknown>) {
  const text = JSON.stringify(draft)
  if (text.length > MOST_LENGTH) return removeLocalDraft(person, name)
  try {
    localStorage.setItem(keyOf(person, name), text)
  } catch {
    // The browser has no room: the page itself still has it.
  }
  const others = draftsOf(`${PREFIX}${person}.`).filter(({ key }) => key !== keyOf(person, name))
  for (const { key } of others.slice(MOST_DRAFTS - 1)) localStorage.removeItem(key)
}

export const removeLocalDraft = (person: number, name: string) => localStorage.removeItem(keyOf(person, name))

/** Every draft of a person, when they sign out. */
export function removeLocalDrafts(person: number) {
  for (const { key } of draftsOf(`${PREFIX}${person}.`)) localStorage.removeItem(key)
}

/** Those of all people that are too old. */
export function removeOldDrafts(nowMs: number) {
  for (const { key, at_ms } of draftsOf(PREFIX)) if (nowMs - at_ms > MOST_AGE_MS) localStorage.removeItem(key)
}

/** The latest first; what is unreadable counts as oldest. */
function draftsOf(prefix: string) {
  return Object.keys(localStorage)
    .filter(key => key.startsWith(prefix))
    .map(key => ({ key, at_ms: parse(localStorage.getItem(key))?.at_ms ?? 0 }))
    .toSorted((a, b) => b.at_ms - a.at_ms)
}

function parse(text: string | null): LocalDraft<unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    const isDraft =
      typeof value === 'object' && value !== null && 'at_ms' in value && typeof value.at_ms === 'number'
    return isDraft
      ? { at_ms: value.at_ms as number, content: 'content' in value ? value.content : null }
      : null
  } catch {
    return null
  }
}

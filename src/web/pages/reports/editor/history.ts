import { draftFields, isSame, type Draft, type DraftField } from './draft.ts'

/**
 * A draft with the way that led to it, so that every change can be undone and redone as long as the editor is
 * open.
 */
export interface History {
  present: Draft
  /** Oldest first. */
  past: readonly Draft[]
  /** What was undone, the next one first. */
  future: readonly Draft[]
  /** The text that is being typed: what follows at once in the same field belongs to the same step. */
  typing: { field: string; at_ms: number } | null
}

/** The limit of undo steps; a draft is a few kilobytes. */
export const MOST_STEPS = 200
/** A pause longer than this ends a step. */
export const PAUSE_MS = 1500

export const historyOf = (draft: Draft): History => ({ present: draft, past: [], future: [], typing: null })

/**
 * The draft with a change. One that changes nothing is no step; letters typed in a row into one field are
 * one.
 */
export function changed(history: History, change: Partial<Draft>, at_ms: number): History {
  const { past, present, typing } = history
  const next = { ...present, ...change }
  if (differing(present, next).length === 0) return history
  const field = typedField(present, next)
  const goesOn = field !== null && typing?.field === field && at_ms - typing.at_ms <= PAUSE_MS
  return {
    present: next,
    past: goesOn ? past : [...past, present].slice(-MOST_STEPS),
    future: [],
    typing: field === null ? null : { field, at_ms },
  }
}

export function undone(history: History): History {
  const { past, present, future } = history
  const before = past.at(-1)
  if (!before) return history
  return { present: before, past: past.slice(0, -1), future: [present, ...future], typing: null }
}

export function redone(history: History): History {
  const { past, present, future } = history
  const [next, ...rest] = future
  if (!next) return history
  return { present: next, past: [...past, present], future: rest, typing: null }
}

/** The same draft as the server wrote it down, such as without spaces around the name: no step of its own. */
export const rewritten = (history: History, present: Draft): History => ({
  ...history,
  present,
  typing: null,
})

/** In which fields two drafts differ. */
export const differing = (a: Draft, b: Draft): DraftField[] =>
  draftFields.filter(field => a[field] !== b[field] && !isSame(a[field], b[field]))

const texts = ['name', 'spreadsheet_url', 'sheet_name', 'start_cell'] as const

/**
 * Which text was typed in, when nothing else has changed; a block's name in the headers is one, too, and so
 * are the name and the formula of a column over several channels.
 */
function typedField(before: Draft, after: Draft): string | null {
  const fields = differing(before, after)
  if (fields.every(field => texts.some(text => text === field))) return fields.join(' ')
  if (fields.length === 1 && fields[0] === 'blends') return typedInBlend(before.blends, after.blends)
  if (fields.length > 1 || fields[0] !== 'channels') return null
  const blocks = after.channels.flatMap((block, index) => (block === before.channels[index] ? [] : [index]))
  const [index = -1] = blocks
  const was = before.channels[index]
  const is = after.channels[index]
  const renamed =
    blocks.length === 1 &&
    before.channels.length === after.channels.length &&
    was &&
    is &&
    was.label !== is.label
  return renamed && isSame({ ...was, label: null }, { ...is, label: null }) ? `channels.${index}.label` : null
}

function typedInBlend(before: Draft['blends'], after: Draft['blends']): string | null {
  const at = after.findIndex((blend, index) => !isSame(blend, before[index]))
  const [was, is] = [before[at], after[at]]
  if (!was || !is || !isSame(before.toSpliced(at, 1), after.toSpliced(at, 1))) return null
  const field = (['name', 'formula'] as const).find(name => isSame({ ...was, [name]: is[name] }, is))
  return field === undefined ? null : `blends.${at}.${field}`
}

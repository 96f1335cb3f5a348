import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import {
  draftNames,
  readLocalDraft,
  removeLocalDraft,
  removeOldDrafts,
  writeLocalDraft,
  type LocalDraft,
} from '#web/client/local-drafts.ts'
import { useMe } from '#web/client/me.ts'
import { draftFields, draftOf, type Draft } from './draft.ts'
import { differing } from './history.ts'
import { openTabs, tabId } from './tab.ts'

/** A draft with what it was begun from, so that changes that others saved meanwhile can be merged. */
export interface UnsavedDraft {
  draft: Draft
  /** null: a new report. */
  base: { version: number; draft: Draft } | null
}

interface Subject {
  /** As the server had it when the page was opened; null: a new one. */
  report: Report | null
  /** What the page began with. */
  initial: Draft
  /** The draft, and the saved report that it changes. */
  draft: Draft
  base: Report | null
  /** Whether it differs from what is saved, or from what a new one began with. */
  unsaved: boolean
  /** It is still being typed: what was stored last stays until the page has caught up. */
  lags: boolean
}

/** Before the tab that a new report is typed in. */
const NEW = 'new.'

/**
 * Stores the draft in the browser while it differs from what is saved, and offers what an earlier page has
 * stored. A second page on the same report stores its own in the same place: the last change counts. A new
 * report has one for each tab; what a tab that is gone has left is offered by the next one.
 */
export function useLocalDraft({ report, initial, draft, base, unsaved, lags }: Subject) {
  const { user_id: me } = useMe()
  const [name] = useState(() => (report === null ? NEW + tabId() : String(report.id)))
  const [found, answer] = useFound({ me, name, initial })
  const hasStored = useRef(false)
  useEffect(() => {
    if (unsaved && lags) return
    if (unsaved) {
      const content: UnsavedDraft = { draft, base: base && { version: base.version, draft: draftOf(base) } }
      writeLocalDraft(me, name, { at_ms: Date.now(), content })
    } else if (hasStored.current) removeLocalDraft(me, name)
    hasStored.current = unsaved
  }, [me, name, draft, base, unsaved, lags])
  const forget = () => {
    hasStored.current = false
    removeLocalDraft(me, name)
  }
  return {
    /** null: there is none, or it has been answered. */
    found,
    /** It has been restored. */
    take: answer,
    discard() {
      answer()
      // What has been typed since is stored under the same name.
      if (!unsaved) forget()
    },
    forget,
  }
}

interface Found extends LocalDraft<UnsavedDraft> {
  name: string
}

/** Whose draft it is, its name, and what the page began with. */
interface Entry {
  me: number
  name: string
  initial: Draft
}

/** What is there when the page opens, and how it is answered. */
function useFound(entry: Entry): [LocalDraft<UnsavedDraft> | null, answer: () => void] {
  const [found, setFound] = useState(() => foundAt(entry))
  const look = useEffectEvent(async () => (found === null ? await leftBehind(entry) : null))
  useEffect(() => {
    let isOpen = true
    void look().then(left => (isOpen && left ? setFound(left) : undefined))
    return () => {
      isOpen = false
    }
  }, [])
  const answer = () => {
    // Another tab's is this one's from now on, or nobody's.
    if (found && found.name !== entry.name) removeLocalDraft(entry.me, found.name)
    setFound(null)
  }
  return [found, answer]
}

/** For a new report the last one of a tab that is gone. */
async function leftBehind({ me, name: own, initial }: Entry): Promise<Found | null> {
  if (!own.startsWith(NEW)) return null
  const open = await openTabs()
  const left = draftNames(me, NEW).filter(name => name !== own && !open.has(name.slice(NEW.length)))
  return left.map(name => foundAt({ me, name, initial })).find(found => found !== null) ?? null
}

function foundAt({ me, name, initial }: Entry): Found | null {
  removeOldDrafts(Date.now())
  const found = readLocalDraft(me, name, isUnsaved)
  if (found && differing(found.content.draft, initial).length > 0) return { name, ...found }
  if (found) removeLocalDraft(me, name)
  return null
}

const isUnsaved = (content: unknown): content is UnsavedDraft =>
  isObject(content) &&
  isDraft(content.draft) &&
  (content.base === null ||
    (isObject(content.base) && typeof content.base.version === 'number' && isDraft(content.base.draft)))

/** As this version of the page writes it. */
const isDraft = (value: unknown) => isObject(value) && draftFields.every(field => field in value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

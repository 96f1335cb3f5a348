import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountAdvertiser } from '#shared/api/ad-accounts.ts'
import { useMe } from '#web/client/me.ts'
import { useClient, useClients } from './data.ts'

/**
 * The client that the report is for: the one of the address, else the only one, else the one that this person
 * has chosen last. null: none is chosen.
 */
export function useChosenClient() {
  const { user_id: me } = useMe()
  const { advertiser } = useSearch({ from: '/shell/gs-template/new' })
  const navigate = useNavigate({ from: '/gs-template/new' })
  const [last] = useState(() => lastClient(me))
  const all = useClients('')
  const only = all.data?.count === 1 ? (all.data.results[0]?.id ?? null) : null
  const id = advertiser ?? only ?? last
  const one = useClient(id)
  return {
    client: one.data ?? null,
    /** How many there are; null: it is not known yet. */
    count: all.data?.count ?? null,
    error: all.error,
    refetch: () => void all.refetch(),
    isLoading: all.isPending || (id !== null && one.isPending),
    choose({ id: chosen }: AccountAdvertiser) {
      noteClient(me, chosen)
      void navigate({
        search: current => ({ ...current, advertiser: chosen }),
        replace: true,
        resetScroll: false,
      })
    },
  }
}

const keyOf = (person: number) => `sheetcast.client.${person}`

/** The client that this person has last begun a report for in this browser; only the id is stored. */
function lastClient(person: number): number | null {
  const id = Number(localStorage.getItem(keyOf(person)) ?? Number.NaN)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

const noteClient = (person: number, id: number) => localStorage.setItem(keyOf(person), String(id))

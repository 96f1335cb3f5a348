import { useState } from 'react'
import type { Quotation } from '#shared/api/quotations.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { asProblem } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useFetchOrder, useCreate, useUpdate } from '#web/pages/orders/data.ts'
import { bodyOf, draftOf, type Draft } from './draft.ts'
import { faultCount, faultsOf, hasUnreadable } from './faults.ts'
import { useDraft } from './use-draft.ts'

export type OrderEditor = ReturnType<typeof useOrderEditor>

/** A revision is of the customer and in the currency of its number. */
function changeable({ advertiser, currency, ...body }: ReturnType<typeof bodyOf>, { number }: Quotation) {
  return number === null ? { ...body, advertiser, currency } : body
}

/** A quotation being written: the draft, saving it, and what somebody else has saved meanwhile. */
export function useOrderEditor(quotation: Quotation | null, initial: Draft) {
  const { t } = useTranslation('quotation')
  const [base, setBase] = useState(quotation)
  const [theirs, setTheirs] = useState<Quotation | null>(null)
  const [isTried, setIsTried] = useState(false)
  const { saved, restart, refuse, ...state } = useDraft(initial)
  const { draft, faults } = state
  const create = useCreate()
  const update = useUpdate()
  const fetchOrder = useFetchOrder()
  const failureText = useFailureText()
  const isUnreadable = isTried && hasUnreadable(draft)

  /** Saves the draft over a version; null when it was refused. */
  async function save(onto = base): Promise<Quotation | null> {
    setIsTried(true)
    if (hasUnreadable(draft)) return null
    try {
      const body = bodyOf(draft)
      const reply = await (onto === null
        ? create.mutateAsync(body)
        : update.mutateAsync({ ...changeable(body, onto), id: onto.id, version: onto.version }))
      setBase(reply)
      setTheirs(null)
      setIsTried(false)
      saved(draft, draftOf(reply))
      return reply
    } catch (error) {
      const problem = asProblem(error)
      refuse(faultsOf(problem, draft))
      if (problem.code === 'conflict' && onto !== null) setTheirs(await fetchOrder(onto.id))
      else if (Object.keys(problem.fields).length === 0)
        showToast({ severity: 'error', message: failureText(problem) ?? t('save_failed') })
      return null
    }
  }

  return {
    ...state,
    base,
    isSaving: create.isPending || update.isPending,
    /** How many fields were refused or have no value. */
    problems: faultCount(faults) + (isUnreadable ? 1 : 0),
    save: () => save(),
    theirs,
    takeTheirs() {
      if (theirs === null) return
      setBase(theirs)
      restart(draftOf(theirs))
      setTheirs(null)
    },
    keepMine: () => save(theirs),
    closeConflict: () => setTheirs(null),
  }
}

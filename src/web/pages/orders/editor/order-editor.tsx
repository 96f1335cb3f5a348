import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef } from 'react'
import type { Quotation } from '#shared/api/quotations.ts'
import { useToday } from '#web/pages/today.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useFetchAdvertiser, useAccountsOf, useAgents, useAgreements } from '#web/pages/pickers/data.ts'
import { openPdf } from '#web/pages/orders/open-pdf.ts'
import { PATH } from '#web/pages/orders/data.ts'
import { LeaveConfirmation } from '#web/pages/reports/editor/leave-confirmation.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { ofAdvertiser, type Draft } from './draft.ts'
import { EditorBar } from './editor-bar.tsx'
import styles from './editor.module.css'
import { HeadFields, TextFields } from './head-fields.tsx'
import { Lines } from './lines.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { SumsCard } from './sums-card.tsx'
import { agreedFees, partsOf, sumsOf } from './sums.ts'
import { useOrderEditor, type OrderEditor as Editor } from './use-order-editor.ts'

interface OrderEditorProps {
  /** null: a new one. */
  quotation: Quotation | null
  initial: Draft
}

/** Writes a quotation: whom it is for, its lines, and what they amount to. */
export function OrderEditor({ quotation, initial }: OrderEditorProps) {
  const { t } = useTranslation('quotation')
  const editor = useOrderEditor(quotation, initial)
  const { draft, faults, base } = editor
  const page = useRef<HTMLDivElement>(null)
  const { sums, parts, agreed, isTiered } = useFigures(draft)
  const accounts = useAccountsOf(draft.advertiser).data ?? NO_ACCOUNTS
  const chooseAdvertiser = useChooseAdvertiser(editor)
  const leave = useLeaving(editor)
  const title = t(base === null ? 'title_new' : 'title_edit')
  usePageTitle(draft.title.trim() || title, true)
  return (
    <div ref={page} className={styles.page}>
      <PageHeader title={title} detail={base?.label ?? undefined} />
      <HeadFields
        draft={draft}
        faults={faults.head}
        isRevision={base !== null && base.number !== null}
        onChange={editor.change}
        onAdvertiser={id => void chooseAdvertiser(id)}
      />
      <Lines
        draft={draft}
        sums={sums}
        agreed={agreed}
        accounts={accounts}
        faults={faults}
        onChangeLine={editor.changeLine}
        onChangeLines={editor.changeLines}
      />
      <div className={styles.ends}>
        <ScheduleFields draft={draft} parts={parts} faults={faults} onChange={editor.change} />
        <SumsCard
          draft={draft}
          sums={sums}
          faults={faults.head}
          isTiered={isTiered}
          onChange={editor.change}
        />
      </div>
      <TextFields draft={draft} faults={faults.head} onChange={editor.change} />
      <EditorBar
        sums={sums}
        currency={draft.currency}
        isNew={base === null}
        isDirty={editor.isDirty}
        isSaving={editor.isSaving}
        faults={editor.problems}
        onJump={() => toFirstFault(page.current)}
        {...leave}
      />
      {editor.theirs !== null && (
        <ConflictDialog
          theirs={editor.theirs}
          mine={draft}
          sums={sums}
          isSaving={editor.isSaving}
          onTake={editor.takeTheirs}
          onKeep={() => void editor.keepMine()}
          onClose={editor.closeConflict}
        />
      )}
      <LeaveConfirmation unsaved={editor.isDirty} />
    </div>
  )
}

const NO_ACCOUNTS: readonly never[] = []

/** What the draft amounts to, a moment behind what is typed where the page is busy. */
function useFigures(draft: Draft) {
  const settled = useDeferredValue(draft)
  const today = useToday()
  const agreements = useAgreements(draft.advertiser).data
  const agent = useAgents().data?.find(({ id }) => id === draft.agent)
  const agreed = useMemo(
    () => agreedFees(agreements ?? [], draft.currency, today),
    [agreements, draft.currency, today],
  )
  return useMemo(() => {
    const commission = agent ? { rate: agent.commission_rate, base: agent.commission_base } : null
    const sums = sumsOf(settled, { today, agreed, commission })
    const isTiered = settled.lines.some(line => line.fee_rate === null && agreed(line).isTiered)
    return { sums, parts: partsOf(settled, sums, today), agreed, isTiered }
  }, [settled, today, agreed, agent])
}

/** Takes over what is usual for an advertiser; lines keep what they are, without the accounts of another. */
function useChooseAdvertiser({ draft, change, changeLines }: Editor) {
  const fetchAdvertiser = useFetchAdvertiser()
  return async (id: number) => {
    if (id === draft.advertiser) return
    change({ advertiser: id })
    if (draft.lines.some(({ accounts }) => accounts.length > 0))
      changeLines(lines => lines.map(line => ({ ...line, accounts: [] })))
    const advertiser = await fetchAdvertiser(id)
    if (advertiser) change(ofAdvertiser(advertiser))
  }
}

/** Saving, and where it leads: a new quotation gets an address, one to be sent is asked about on its page. */
function useLeaving({ base, isDirty, save }: Editor) {
  const { t } = useTranslation('quotation')
  const navigate = useNavigate()
  const saved = async () => (base !== null && !isDirty ? base : await save())
  const stay = async () => {
    const order = await saved()
    if (order && base === null)
      await navigate({
        to: '/customer/insertion-order/$id/edit',
        params: { id: String(order.id) },
        replace: true,
        ignoreBlocker: true,
      })
    return order
  }
  return {
    onSave: () => void stay(),
    onPdf: async () => {
      const order = await stay()
      if (!order) return
      await openPdf(`${PATH}${order.id}/pdf/`).catch(() =>
        showToast({ severity: 'error', message: t('pdf_failed') }),
      )
    },
    onSend: async () => {
      const order = await saved()
      if (order)
        await navigate({
          to: '/customer/insertion-order/$id',
          params: { id: String(order.id) },
          search: { do: 'send' },
          ignoreBlocker: true,
        })
    },
  }
}

/** The first field that is marked as wrong. */
function toFirstFault(page: HTMLElement | null) {
  const field = page?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error]')
  const control = field?.matches('input, select, textarea, button')
    ? field
    : field?.querySelector<HTMLElement>('input, select, textarea, button')
  control?.focus()
  control?.scrollIntoView({ block: 'center' })
}

import { Button } from '@mantine/core'
import {
  IconBan,
  IconCopy,
  IconFileDownload,
  IconFileText,
  IconPencil,
  IconSend,
  IconSignature,
  IconTrash,
  IconVersions,
  IconCircleX,
  type Icon,
} from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Quotation, QuotationAction } from '#shared/api/quotations.ts'
import { watchBottomBar } from '#web/client/bottom-bar.ts'
import { download } from '#web/client/download.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PATH } from '#web/pages/orders/data.ts'
import { openPdf } from '#web/pages/orders/open-pdf.ts'
import { ActionMenu, type Action } from '#web/ui/action-menu.tsx'
import { ActionDialog, type DialogAction } from './action-dialog.tsx'
import styles from './order.module.css'
import { useCopy } from './use-copy.ts'

/** What is usually done next in a state; the first of them that one may do is the large button. */
const usual: Record<Quotation['status'], readonly QuotationAction[]> = {
  draft: ['send', 'edit'],
  sent: ['accept'],
  expired: ['edit', 'revise', 'accept'],
  // Its delivery and payments are below; another revision is the exception.
  accepted: [],
  rejected: ['revise', 'copy'],
  cancelled: ['copy'],
  superseded: ['copy'],
}

const icons: Record<QuotationAction, Icon> = {
  send: IconSend,
  accept: IconSignature,
  reject: IconCircleX,
  cancel: IconBan,
  revise: IconVersions,
  copy: IconCopy,
  edit: IconPencil,
  delete: IconTrash,
}

/** What is to be done with the order, the next step first. */
export function NextAction({ order }: { order: Quotation }) {
  const { t } = useTranslation('orders')
  const act = useActions(order)
  const next = usual[order.status].find(action => order.may.includes(action)) ?? null
  const isReady = next !== 'send' || order.lines.length > 0
  const wished = order.status === 'draft' ? 'edit' : order.status === 'accepted' ? 'revise' : null
  const second = wished !== null && wished !== next && order.may.includes(wished) ? wished : null
  const nameOf = (action: QuotationAction) =>
    t(action === 'edit' && order.status !== 'draft' ? 'action.change' : `action.${action}`)
  const others = order.may.filter(action => action !== next && action !== second)
  return (
    <section ref={watchBottomBar} className={styles.next} aria-label={t('column.next')}>
      <p className={styles.guide}>
        <Guide order={order} />
      </p>
      <div className={styles.buttons}>
        {next && (
          <Button
            size="md"
            className={styles.big}
            leftSection={<ActionIcon action={next} />}
            disabled={!isReady}
            onClick={() => act.start(next)}
          >
            {nameOf(next)}
          </Button>
        )}
        {second && (
          <Button
            size="md"
            variant="default"
            leftSection={<ActionIcon action={second} />}
            onClick={() => act.start(second)}
          >
            {nameOf(second)}
          </Button>
        )}
        <ActionMenu
          label={t('action.more')}
          actions={[
            ...act.documents,
            ...others.map(action => ({
              key: action,
              label: nameOf(action),
              icon: icons[action],
              onClick: () => act.start(action),
              ...((action === 'delete' || action === 'cancel') && { tone: 'danger' as const }),
            })),
          ]}
        />
      </div>
      {act.dialog && (
        <ActionDialog
          // Another version may allow something else.
          key={act.dialog}
          action={act.dialog}
          order={order}
          onClose={act.close}
        />
      )}
    </section>
  )
}

function ActionIcon({ action }: { action: QuotationAction }) {
  const Glyph = icons[action]
  return <Glyph size={18} stroke={1.7} aria-hidden />
}

function Guide({ order }: { order: Quotation }) {
  const { t } = useTranslation('orders')
  const { status, valid_until, accepted_on, accepted_by, lines, reason } = order
  const text =
    status === 'draft'
      ? t(lines.length === 0 ? 'guide.empty' : 'guide.draft')
      : status === 'sent'
        ? valid_until === null
          ? t('guide.sent_open')
          : t('guide.sent', { day: valid_until })
        : status === 'expired'
          ? t('guide.expired', { day: valid_until ?? '' })
          : status === 'accepted'
            ? t('guide.accepted', { day: accepted_on ?? '', name: accepted_by ?? '' })
            : t(`guide.${status}`)
  return (
    <>
      {text}
      {reason !== null && reason !== '' && <span className={styles.reason}>{reason}</span>}
    </>
  )
}

/** Starts an action: in the editor, at once, or in a dialog. What the URL names is open at first. */
function useActions({ id, may, status, version, label, has_acceptance_file }: Quotation) {
  const { t } = useTranslation('orders')
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/customer/insertion-order/$id/' })
  const initial = search.do !== undefined && may.includes(search.do) ? search.do : null
  const [dialog, setDialog] = useState<DialogAction | null>(initial)
  const copy = useCopy()
  const params = { id: String(id) }

  function start(action: QuotationAction) {
    if (action === 'edit' && status === 'draft')
      void navigate({ to: '/customer/insertion-order/$id/edit', params })
    else if (action === 'copy') copy(id, version)
    else setDialog(action)
  }
  function close() {
    setDialog(null)
    if (search.do !== undefined)
      void navigate({ to: '/customer/insertion-order/$id', params, search: {}, replace: true })
  }
  const pdf = `${PATH}${id}/pdf/`
  const fail = () => showToast({ severity: 'error', message: t('failed') })
  const documents: Action[] = [
    {
      key: 'preview',
      label: t('action.pdf_preview'),
      icon: IconFileText,
      onClick: () => void openPdf(pdf).catch(fail),
    },
    ...(label === null
      ? []
      : [
          {
            key: 'pdf',
            label: t('action.pdf'),
            icon: IconFileDownload,
            onClick: () => void download(pdf).catch(fail),
          },
        ]),
    ...(has_acceptance_file
      ? [
          {
            key: 'file',
            label: t('action.file'),
            icon: IconSignature,
            onClick: () => void download(`${PATH}${id}/acceptance/`).catch(fail),
          },
        ]
      : []),
  ]
  return { dialog, start, close, documents }
}

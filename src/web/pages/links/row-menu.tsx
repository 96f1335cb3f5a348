import { IconCopyPlus, IconPencil, IconQrcode, IconRouteScan, IconTrash } from '@tabler/icons-react'
import type { Link } from '#shared/api/links.ts'
import { buildLink } from '#shared/links/build-link.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu, type Action } from '#web/ui/action-menu.tsx'
import { useHasChecks } from './data.ts'
import type { LinkDraft } from './link-draft.ts'
import { useView } from './view.ts'

/** Fills the form in with a link, or with what is being made of it. */
export type OnTemplate = (link: Link, draft?: LinkDraft) => void

export interface RowActions {
  onQr: (link: Link) => void
  onTemplate: OnTemplate
  onCheck: (link: Link) => void
  onDelete: (link: Link) => void
}

/** What can be done with a link without opening it. */
export function RowMenu({ link, onQr, onTemplate, onCheck, onDelete }: RowActions & { link: Link }) {
  const { t } = useTranslation('links')
  const { change } = useView()
  const hasChecks = useHasChecks()
  const { has_placeholders } = buildLink(link)
  const actions: Action[] = [
    {
      key: 'edit',
      label: t('action.edit'),
      icon: IconPencil,
      onClick: () => change({ link: link.id }),
    },
    {
      key: 'template',
      label: t('action.template'),
      icon: IconCopyPlus,
      onClick: () => onTemplate(link),
    },
    {
      key: 'qr',
      label: t(has_placeholders ? 'action.qr_not' : 'action.qr'),
      icon: IconQrcode,
      disabled: has_placeholders,
      onClick: () => onQr(link),
    },
  ]
  if (hasChecks)
    actions.push({
      key: 'check',
      label: t('action.check'),
      icon: IconRouteScan,
      onClick: () => onCheck(link),
    })
  if (link.may_delete)
    actions.push({
      key: 'delete',
      label: t('action.delete'),
      icon: IconTrash,
      tone: 'danger',
      onClick: () => onDelete(link),
    })
  return <ActionMenu label={t('action.actions_of', { name: link.name })} actions={actions} size="sm" />
}

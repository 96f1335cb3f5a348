import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Problem } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { useRemove, type Versioned } from './data.ts'
import styles from './rows.module.css'

interface DeleteDialogProps {
  /** The collection that it is deleted from. */
  path: string
  row: Versioned & { name: string }
  /** The filter of the links page that finds those which point to it. */
  linksOf?: 'site' | 'publisher' | 'image' | 'file'
  /** What can be done instead, where something still points to it. */
  instead?: { label: string; loading: boolean; onChoose: () => void }
  onDeleted?: () => void
  onClose: () => void
}

/** Deletes a row. Where something points to it, it says what, and offers what can be done instead. */
export function DeleteDialog({ path, row, linksOf, instead, onDeleted, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('customers')
  const remove = useRemove(path)
  const uses = usesIn(remove.error)
  const isInUse = remove.error?.code === 'in_use'
  const confirm = () =>
    remove.mutate(row, {
      onSuccess: () => {
        showToast({ severity: 'success', message: t('delete.done', { name: row.name }) })
        onClose()
        onDeleted?.()
      },
    })
  if (isInUse)
    return (
      <ConfirmDialog
        opened
        title={t('delete.in_use_title', { name: row.name })}
        detail={t(instead ? 'delete.in_use_instead' : 'delete.in_use')}
        confirm={instead?.label ?? t('delete.understood')}
        loading={instead?.loading ?? false}
        onConfirm={instead?.onChoose ?? onClose}
        onClose={onClose}
      >
        <ul className={styles.reasons}>
          {uses.map(({ what, count }) => (
            <li key={what}>
              <Use {...{ what, count, linksOf, row }} />
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      opened
      title={t('delete.title', { name: row.name })}
      detail={t('delete.detail')}
      confirm={t('action.delete')}
      tone="danger"
      loading={remove.isPending}
      problem={remove.error && <ProblemText code={remove.error.code} audience="internal" />}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

interface UseProps extends Pick<DeleteDialogProps, 'row'> {
  what: string
  count: number
  linksOf: DeleteDialogProps['linksOf']
}

/** How many of what point to it. Links open in another tab: a form may be open beneath. */
function Use({ what, count, linksOf, row }: UseProps) {
  const { t } = useTranslation('customers')
  if (!isUse(what)) return `${what}: ${count}`
  const text = t(`delete.uses.${what}`, { count })
  if (what !== 'links' || !linksOf) return text
  return (
    <LinkText
      to="/advertisement/create-link"
      search={{ search: '', page: 1, [linksOf]: row.id }}
      target="_blank"
    >
      {text}
    </LinkText>
  )
}

const knownUses = [
  'advertisers',
  'accounts',
  'reports',
  'spreadsheets',
  'quotations',
  'payments',
  'metrics',
  'conversions',
  'labels',
  'adjustments',
  'links',
  'statements',
  'audiences',
  'erasures',
  'sites',
  'target_audiences',
  'link_presets',
  'images',
  'files',
] as const
const isUse = (what: string): what is (typeof knownUses)[number] => knownUses.some(known => known === what)

/** What points to it, and how often, as the refusal says. */
function usesIn(problem: Problem | null): { what: string; count: number }[] {
  const by = problem?.body['by']
  if (typeof by !== 'object' || by === null) return []
  return Object.entries(by).flatMap(([what, count]) => (typeof count === 'number' ? [{ what, count }] : []))
}

import { IconLink } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Link } from '#shared/api/links.ts'
import type { CheckOutcome } from '#shared/links/check-outcomes.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { asProblem } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useLanguage, useTranslation } from '#web/i18n/use-translation.ts'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { problemText } from '#web/ui/problem-text.tsx'
import { toneOf } from './check-outcome.tsx'
import { filtersOf, LINKS, PAGE_SIZE, useCheckLink, useLinks } from './data.ts'
import { LinkFilters } from './link-filters.tsx'
import { LinkTable } from './link-table.tsx'
import styles from './links.module.css'
import { QrDialog } from './live-link.tsx'
import type { RowActions } from './row-menu.tsx'
import { filterCount, NO_FILTERS, useView } from './view.ts'

/** Every link that the reader sees, the newest first. */
export function LinkList({ onTemplate }: Pick<RowActions, 'onTemplate'>) {
  const { view, change } = useView()
  const links = useLinks(view)
  const reload = useReload('links')
  const { check, checking } = useCheck()
  const [open, setOpen] = useState<{ kind: 'qr' | 'delete'; link: Link } | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <ListCard
        toolbar={<LinkFilters />}
        toolbarClass={styles.toolbar}
        list={links}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoLinks />}
        csv={{ path: LINKS, filters: filtersOf(view) }}
      >
        {(rows, stale) => (
          <LinkTable
            links={rows}
            stale={stale}
            onTemplate={onTemplate}
            checking={checking}
            onCheck={link => void check(link)}
            onQr={link => setOpen({ kind: 'qr', link })}
            onDelete={link => setOpen({ kind: 'delete', link })}
          />
        )}
      </ListCard>
      {open?.kind === 'qr' && (
        <Suspense>
          <QrDialog link={open.link.link} name={open.link.name} onClose={close} />
        </Suspense>
      )}
      {open?.kind === 'delete' && (
        <DeleteDialog path={LINKS} row={open.link} onDeleted={() => void reload()} onClose={close} />
      )}
    </>
  )
}

/** Follows links to their ends and says what came of each. */
function useCheck() {
  const { t } = useTranslation('links')
  const language = useLanguage()
  const failureText = useFailureText()
  const { mutateAsync } = useCheckLink()
  const [checking, setChecking] = useState<readonly number[]>([])
  function report(name: string, outcome: CheckOutcome) {
    showToast({
      severity: toneOf(outcome) === 'good' ? 'success' : 'warning',
      message: t('check.done', { name, outcome: t(`check.outcome.${outcome}`) }),
      sub_message: t(`check.detail.${outcome}`),
    })
  }
  // Callbacks of `mutate` are called for the last of several alone.
  async function check({ id, name }: Link) {
    if (checking.includes(id)) return
    setChecking(ids => [...ids, id])
    try {
      const { check: found } = await mutateAsync(id)
      report(name, found?.outcome ?? 'not_reachable')
    } catch (error) {
      const problem = asProblem(error)
      const message = failureText(problem) ?? problemText(problem.code, 'internal', language)
      showToast({ severity: 'error', message })
    }
    setChecking(ids => ids.filter(other => other !== id))
  }
  return { check, checking }
}

function NoLinks() {
  const { t } = useTranslation('links')
  const { view, change } = useView()
  if (view.search === '' && filterCount(view) === 0)
    return <EmptyState icon={IconLink} title={t('list.empty')} detail={t('list.empty_detail')} />
  return (
    <NothingFound
      title={t('list.nothing_found')}
      clear={t('filter.clear')}
      onClear={() => change(NO_FILTERS)}
    />
  )
}

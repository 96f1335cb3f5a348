import { UnstyledButton } from '@mantine/core'
import { isAuditAction } from '#shared/audit.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { instantText } from '#web/ui/times.ts'
import styles from './audit.module.css'
import { Changes } from './changes.tsx'
import { DEFAULT_ORDERING, type Line } from './data.ts'
import { useView } from './view.ts'

export function AuditTable({ lines, stale }: { lines: readonly Line[]; stale: boolean }) {
  const { t } = useTranslation('audit')
  const { view, change } = useView()
  return (
    <DataTable
      label={t('title')}
      columns={useColumns()}
      rows={lines}
      rowKey={line => line.id}
      rowName={line => line.action}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(): Column<Line>[] {
  const { t, language } = useTranslation('audit')
  return [
    {
      key: 'at',
      header: t('column.at'),
      sort: 'at',
      width: '24%',
      cell: line => (
        <>
          <Who line={line} />
          <time dateTime={line.at} className={styles.below} data-tabular>
            {instantText(line.at, language)}
          </time>
        </>
      ),
    },
    { key: 'what', header: t('column.what'), width: '32%', cell: line => <What line={line} /> },
    { key: 'changes', header: t('column.changes'), cell: line => <Changes line={line} /> },
  ]
}

function Who({ line: { actor, actor_name, address } }: { line: Line }) {
  const { t } = useTranslation('audit')
  const { change } = useView()
  const name = actor_name ?? (actor === null ? t('nobody') : t('number', { id: actor }))
  return (
    <>
      {actor === null ? (
        name
      ) : (
        <UnstyledButton
          className={styles.narrow}
          aria-label={t('filter.only_person', { name })}
          onClick={() => change({ actor })}
        >
          {name}
        </UnstyledButton>
      )}
      {address !== null && <small className={styles.below}>{address}</small>}
    </>
  )
}

function What({ line }: { line: Line }) {
  const { t } = useTranslation('audit')
  const { change } = useView()
  const { action, object, object_id } = line
  const what = nameIn(line)
  return (
    <>
      <div className={styles.action}>{isAuditAction(action) ? t(`action.${action}`) : action}</div>
      {object !== null && object_id !== null && (
        <UnstyledButton
          className={styles.narrow}
          aria-label={t('filter.only_object', { what: what ?? t('number', { id: object_id }) })}
          onClick={() => change({ object, object_id })}
        >
          <small className={styles.below}>{what ?? t('number', { id: object_id })}</small>
        </UnstyledButton>
      )}
    </>
  )
}

/** The name of the object at that time, where the entry has it. */
function nameIn({ detail, object, object_id }: Line): string | null {
  const { name, title } = detail ?? {}
  if (object === 'list') return object_id
  if (typeof name === 'string' && name !== '') return name
  return typeof title === 'string' && title !== '' ? title : null
}

import { useQuery } from '@tanstack/react-query'
import { IconUsers } from '@tabler/icons-react'
import type { Grouping, OverviewGroup } from '#shared/api/overview-groups.ts'
import { MILLIONTHS } from '#shared/money.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useDepartments } from '#web/pages/use-departments.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LazyProblem } from '#web/ui/lazy-problem.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import styles from './overview.module.css'
import { moneyText } from './spend-figures.ts'
import { groupsQuery } from './groups-query.ts'

/** Reports and spend of each team or client, for who leads others. */
export function GroupsCard({ by }: { by: Grouping }) {
  const { t } = useTranslation('overview_later')
  const { data, error, refetch } = useQuery(groupsQuery(by))
  return (
    <Card title={t(`groups.${by}`)} padding="flush">
      {error && !data ? (
        <LazyProblem code={error.code} onRetry={() => void refetch()} />
      ) : !data ? (
        <PageLoading />
      ) : data.groups.length === 0 ? (
        <EmptyState icon={IconUsers} title={t('groups.none')} detail={t('groups.none_detail')} />
      ) : (
        <GroupTable by={by} {...data} />
      )}
    </Card>
  )
}

function GroupTable({
  by,
  groups,
  count,
}: {
  by: Grouping
  groups: readonly OverviewGroup[]
  count: number
}) {
  const { t, language } = useTranslation('overview_later')
  const columns = ['attention', 'failed', 'ending', 'ran_today', 'reports'] as const
  return (
    // It scrolls, so the keyboard must come to it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.groups} role="region" aria-label={t(`groups.${by}`)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t(`groups.name_${by}`)}</th>
            {columns.map(column => (
              <th key={column} scope="col">
                {t(`groups.${column}`)}
              </th>
            ))}
            <th scope="col">{t('groups.spend')}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(group => (
            <tr key={group.id ?? 0}>
              <th scope="row">
                <GroupName by={by} group={group} />
              </th>
              {columns.map(column => (
                <td key={column} data-bad={(column === 'failed' && group.failed > 0) || undefined}>
                  {group[column].toLocaleString(language)}
                </td>
              ))}
              <td>
                {group.spend.map(({ currency, cost }) => (
                  <div key={currency}>{moneyText(cost / MILLIONTHS, currency, language)}</div>
                ))}
                {group.spend.length === 0 && '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.freshness}>
        {t(`groups.note_${by}`)}
        {count > groups.length && ` ${t('groups.first', { first: groups.length, count })}`}
      </p>
    </div>
  )
}

/** A team leads to its people, a client to its page. */
function GroupName({ by, group: { id, name } }: { by: Grouping; group: OverviewGroup }) {
  const { t } = useTranslation('overview_later')
  const departments = useDepartments().data ?? []
  if (id === null) return t(`groups.without_${by}`)
  if (by === 'client')
    return (
      <LinkText to="/customer/advertiser/$id" params={{ id: String(id) }}>
        {name}
      </LinkText>
    )
  return (
    <LinkText to="/setting/users" search={{ search: '', page: 1, department: id }}>
      {departments.find(department => department.id === id)?.name ?? id}
    </LinkText>
  )
}

import { useState } from 'react'
import type { Business, BusinessAccount } from '#shared/api/businesses.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { AccountDrawer } from './account-drawer.tsx'
import { AccountTable } from './account-table.tsx'
import { BusinessHead } from './business-head.tsx'
import styles from './businesses.module.css'
import { ACCOUNTS, accountFilters, PAGE_SIZE, useAccounts, useBusiness } from './data.ts'
import { Filters } from './filters.tsx'
import { RelateDialog } from './relate-dialog.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useBusinessesView } from './view.ts'

/** One business manager with its accounts, the most urgent first. */
export function BusinessTab({ id, name }: { id: number; name: string }) {
  const { view, change } = useBusinessesView()
  const business = useBusiness(id).data
  const accounts = useAccounts(view, id, business?.refreshed_at)
  const [selected, setSelected] = useState<ReadonlyMap<number, BusinessAccount>>(new Map())
  const [related, setRelated] = useState<readonly BusinessAccount[] | null>(null)
  const rows = accounts.data?.results ?? []
  const open = rows.find(account => account.id === view.account)
  const select = (ids: ReadonlySet<number>) => {
    const known = new Map([...selected, ...rows.map(row => [row.id, row] as const)])
    setSelected(new Map([...known].filter(([row]) => ids.has(row))))
  }
  return (
    <>
      {business && <BusinessHead business={business} name={name} />}
      <ListCard
        toolbar={<Filters />}
        toolbarClass={styles.toolbar}
        above={
          <SelectionBar
            count={selected.size}
            onClear={() => setSelected(new Map())}
            onRelate={() => setRelated([...selected.values()])}
          />
        }
        list={accounts}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoAccounts business={business} />}
        csv={{ path: ACCOUNTS, filters: accountFilters(view, id) }}
      >
        {(page, stale) => (
          <AccountTable
            rows={page}
            stale={stale}
            {...(business?.may_relate && {
              selection: { selected: new Set(selected.keys()), onChange: select },
            })}
          />
        )}
      </ListCard>
      {open && (
        <AccountDrawer
          key={open.id}
          account={open}
          onClose={() => change({ account: undefined })}
          {...(business?.may_relate && { onRelate: () => setRelated([open]) })}
        />
      )}
      {related && (
        <RelateDialog
          accounts={related}
          onClose={isDone => {
            setRelated(null)
            if (isDone) setSelected(new Map())
          }}
        />
      )}
    </>
  )
}

function NoAccounts({ business }: { business: Business | undefined }) {
  const { t } = useTranslation('businesses')
  const { view, change } = useBusinessesView()
  const { search, relation, status, advertiser, warn } = view
  if (search !== '' || relation || status !== undefined || advertiser !== undefined || warn)
    return (
      <NothingFound
        title={t('nothing_found')}
        clear={t('clear')}
        onClear={() =>
          change({
            search: '',
            relation: undefined,
            status: undefined,
            advertiser: undefined,
            warn: undefined,
          })
        }
      />
    )
  const isRead = business?.refreshed_at !== null
  return (
    <EmptyState
      icon={IconBuildingCommunity}
      title={t('empty')}
      detail={isRead ? t('empty_detail') : t('not_read')}
    />
  )
}

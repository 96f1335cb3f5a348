import { useId, useState } from 'react'
import type { AccountAdvertiser } from '#shared/api/ad-accounts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { useClients } from './data.ts'
import styles from './new-report.module.css'

interface ClientFieldProps {
  chosen: AccountAdvertiser | null
  /** How many clients there are. */
  count: number
  onChoose: (client: AccountAdvertiser) => void
}

/** Whose report it becomes: one click on a client; the search finds those that are not among the first. */
export function ClientField({ chosen, count, onChoose }: ClientFieldProps) {
  const { t } = useTranslation('start')
  const [search, setSearch] = useState('')
  const id = useId()
  const found = useClients(search).data
  const results = found?.results ?? []
  const isListed = chosen === null || results.some(client => client.id === chosen.id)
  const clients = isListed ? results : [chosen, ...results]
  const isSearched = search !== '' || (found !== undefined && count > found.results.length)
  return (
    <fieldset className={styles.clients}>
      <legend>{t('client')}</legend>
      {isSearched && (
        <div className={styles.search}>
          <SearchField label={t('search_client')} value={search} onSearch={setSearch} />
          <output>
            {found &&
              (results.length === 0
                ? t('no_client', { text: search })
                : results.length < found.count &&
                  t('some_clients', { visible: results.length, count: found.count }))}
          </output>
        </div>
      )}
      <div className={styles.pills}>
        {clients.map(client => (
          <label key={client.id} className={styles.pill}>
            <input
              type="radio"
              name={id}
              checked={client.id === chosen?.id}
              onChange={() => onChoose(client)}
            />
            <span>{client.name}</span>
            <small>{t('accounts', { count: accountsOf(client) })}</small>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const accountsOf = ({ channels }: AccountAdvertiser) =>
  channels.reduce((sum, { accounts }) => sum + accounts, 0)

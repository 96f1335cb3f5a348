import { ActionIcon, Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OwnerPicker } from '#web/pages/pickers/pickers.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useAddKeeper, useKeepers, useRemoveKeeper } from './connection-data.ts'
import styles from './public-accounts.module.css'

/** Who gets the notices of a login and may connect it again. */
export function Keepers({ login }: { login: number }) {
  const { t } = useTranslation('connections')
  const keepers = useKeepers(login)
  const [chosen, setChosen] = useState<number | null>(null)
  const add = useAddKeeper(login, () => setChosen(null))
  const remove = useRemoveKeeper()
  const problem = keepers.error ?? add.error ?? remove.error
  return (
    <section className={styles.section}>
      <h3>{t('drawer.keepers')}</h3>
      <p className={styles.lead}>{t('drawer.keepers_hint')}</p>
      {keepers.data?.length === 0 && <p className={styles.none}>{t('drawer.no_keepers')}</p>}
      <ul className={styles.list}>
        {keepers.data?.map(({ id, user_name: name }) => (
          <li key={id}>
            {name}
            <ActionIcon
              variant="subtle"
              aria-label={t('drawer.remove_keeper', { name: name ?? '' })}
              loading={remove.isPending && remove.variables === id}
              onClick={() => remove.mutate(id)}
            >
              <IconX size={16} stroke={1.8} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <Group align="flex-end" wrap="nowrap">
        <OwnerPicker label={t('drawer.add_keeper')} value={chosen} onChange={setChosen} />
        <Button
          variant="default"
          disabled={chosen === null}
          loading={add.isPending}
          onClick={() => {
            if (chosen !== null) add.mutate(chosen)
          }}
        >
          {t('drawer.add')}
        </Button>
      </Group>
      {problem && <Problem code={problem.code} audience="internal" />}
    </section>
  )
}

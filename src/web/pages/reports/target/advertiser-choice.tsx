import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import styles from './target.module.css'

interface AdvertiserChoiceProps {
  advertisers: readonly { id: number; name: string }[]
  checking: boolean
  onChoose: (advertiser: number) => void
}

/** Which client the spreadsheet belongs to, for people who belong to more than one. */
export function AdvertiserChoice({ advertisers, checking, onChoose }: AdvertiserChoiceProps) {
  const { t } = useTranslation('target')
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <div className={styles.proof}>
      <p>{t('whose.why')}</p>
      <SelectField
        label={t('whose.label')}
        placeholder={t('whose.placeholder')}
        options={advertisers.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosen}
        onChange={setChosen}
        searchable={advertisers.length > 8}
        required
      />
      <div className={styles.buttons}>
        <Button
          size="xs"
          disabled={chosen === null}
          loading={checking}
          onClick={() => onChoose(Number(chosen))}
        >
          {t('whose.submit')}
        </Button>
      </div>
    </div>
  )
}

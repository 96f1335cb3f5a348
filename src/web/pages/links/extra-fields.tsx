import { ActionIcon, Button, Input } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MOST_EXTRA, type ExtraParameter } from '#shared/links/parameters.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { EXTRA_EXAMPLE } from './examples.ts'
import styles from './links.module.css'

interface ExtraFieldsProps {
  value: readonly ExtraParameter[]
  onChange: (value: readonly ExtraParameter[]) => void
  /** What is wrong with a field, such as `extra.0.key`. */
  errorOf: (path: string) => ReactNode
}

/** Parameters of the page itself, such as a voucher. */
export function ExtraFields({ value, onChange, errorOf }: ExtraFieldsProps) {
  const { t } = useTranslation('links')
  const put = (index: number, change: Partial<ExtraParameter>) =>
    onChange(value.map((parameter, at) => (at === index ? { ...parameter, ...change } : parameter)))
  return (
    <Input.Wrapper
      labelElement="div"
      label={t('field.extra')}
      description={t('hint.extra')}
      error={errorOf('extra')}
    >
      <div className={styles.extras}>
        {value.map((parameter, index) => (
          // Two may be equal while they are typed: only their index identifies them.
          <div
            key={index}
            role="group"
            aria-label={t('extra.nth', { number: index + 1 })}
            className={styles.extra}
          >
            <TextField
              label={t('extra.key')}
              value={parameter.key}
              onChange={key => put(index, { key })}
              maxLength={100}
              autoComplete="off"
              placeholder={EXTRA_EXAMPLE.key}
              error={errorOf(`extra.${index}.key`)}
            />
            <TextField
              label={t('extra.value')}
              value={parameter.value}
              onChange={text => put(index, { value: text })}
              maxLength={200}
              autoComplete="off"
              placeholder={EXTRA_EXAMPLE.value}
              error={errorOf(`extra.${index}.value`)}
            />
            <ActionIcon
              className={styles.removeExtra ?? ''}
              size="lg"
              aria-label={t('extra.remove', { number: index + 1 })}
              title={t('extra.remove', { number: index + 1 })}
              onClick={() => onChange(value.toSpliced(index, 1))}
            >
              <IconTrash size={16} stroke={1.6} />
            </ActionIcon>
          </div>
        ))}
        {value.length < MOST_EXTRA && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.8} />}
            onClick={() => onChange([...value, { key: '', value: '' }])}
          >
            {t('extra.add')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}

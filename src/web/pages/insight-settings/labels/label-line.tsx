import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import type { MetricLabel } from '#shared/api/insight-settings.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import { codeOf } from '#web/pages/insight-settings/data.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { useEscape } from '#web/ui/escape.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useResetLabel, useSaveLabel } from './data.ts'
import { wordsOf, type LabelRow } from './label-rows.ts'
import styles from './labels.module.css'

interface LabelLineProps {
  row: LabelRow
  scope: { advertiser: number | null; channel: Channel | null }
  readOnly: boolean
}

/** A metric's own name, and what it is called instead. */
export function LabelLine({ row, scope, readOnly }: LabelLineProps) {
  const { t, language } = useTranslation('labels')
  const { metric, original, channels, own } = row
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const reset = useResetLabel()
  function close() {
    setIsOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  return (
    <li className={styles.line}>
      <div className={styles.original}>
        <span>{original[language]}</span>
        <small>
          {original[language === 'en' ? 'zh-TW' : 'en']} · <code>{metric}</code>
        </small>
        {scope.channel === null && (
          <span className={styles.channels}>
            {channels.map(channel => (
              <ChannelIcon key={channel} channel={channel} size={14} />
            ))}
          </span>
        )}
      </div>
      {isOpen ? (
        <LabelForm row={row} scope={scope} onClose={close} />
      ) : (
        <>
          <Words row={row} />
          <div className={styles.buttons}>
            {!readOnly && (
              <Button
                ref={opener}
                size="xs"
                variant="default"
                aria-label={t('change_of', { name: original[language] })}
                onClick={() => setIsOpen(true)}
              >
                {t('change')}
              </Button>
            )}
            {!readOnly && own && (
              <Button
                size="xs"
                variant="subtle"
                loading={reset.isPending}
                aria-label={t('reset_of', { name: original[language] })}
                onClick={() => reset.mutate(own)}
              >
                {t('reset')}
              </Button>
            )}
          </div>
          {reset.error && (
            <p className={styles.refused} role="alert">
              <ProblemText code={reset.error.code} audience="internal" />
            </p>
          )}
        </>
      )}
    </li>
  )
}

/** The label of this scope and channel; else quietly what is inherited. */
function Words({ row: { own, original, inherited } }: { row: LabelRow }) {
  const { t, language } = useTranslation('labels')
  const words = own ? wordsOf(own) : inherited
  const other = language === 'en' ? 'zh-TW' : 'en'
  if (!own && words === original) return <span className={styles.unchanged}>{t('unchanged')}</span>
  return (
    <div className={styles.words} data-inherited={own === null || undefined}>
      <span>{words[language]}</span>
      <small>
        {words[other]}
        {own === null && ` · ${t('inherited')}`}
      </small>
    </div>
  )
}

type LabelFormProps = Pick<LabelLineProps, 'row' | 'scope'> & { onClose: () => void }

/** Both languages; begins with what the metric is called now. */
function LabelForm({ row: { metric, own, inherited }, scope, onClose }: LabelFormProps) {
  const { t } = useTranslation('labels')
  const save = useSaveLabel(own)
  const [words, setWords] = useState<Pick<MetricLabel, 'label' | 'label_zh'>>(() => {
    const now = own ? wordsOf(own) : inherited
    return { label: now.en, label_zh: now['zh-TW'] }
  })
  const [tried, setTried] = useState(false)
  useEscape(true, onClose)
  function submit() {
    setTried(true)
    if (words.label.trim() === '' || words.label_zh.trim() === '' || save.isPending) return
    save.mutate({ ...scope, metric, ...words }, { onSuccess: onClose })
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      {(['label', 'label_zh'] as const).map((field, position) => (
        <TextField
          key={field}
          label={t(`field.${field}`)}
          value={words[field]}
          onChange={text => setWords({ ...words, [field]: text })}
          maxLength={60}
          autoComplete="off"
          required
          {...(position === 0 && { ref: takeFocus })}
          error={fieldProblem(save.error, field, tried && words[field].trim() === '')}
        />
      ))}
      {save.error && <Refused problem={save.error} />}
      <div className={styles.buttons}>
        <Button type="submit" size="xs" loading={save.isPending}>
          {t('save')}
        </Button>
        <Button size="xs" variant="default" onClick={onClose} disabled={save.isPending}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

const takeFocus = (field: HTMLInputElement | null) => field?.focus()

/** What is about neither of the two names. */
function Refused({ problem }: { problem: Problem }) {
  if (problem.fields['label'] ?? problem.fields['label_zh']) return null
  return (
    <p className={styles.refused} role="alert">
      <ProblemText code={codeOf(problem)} audience="internal" />
    </p>
  )
}

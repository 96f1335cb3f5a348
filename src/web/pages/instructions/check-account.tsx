import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Channel } from '#shared/channels/catalogue.ts'
import { isErrorCode } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useAccounts, useCheck } from './data.ts'
import styles from './instructions.module.css'
import { sayIn } from './texts.ts'

/** Whether the agency can read an account now: asked right after the client has done the steps. */
export function CheckAccount({ channel, language }: { channel: Channel; language: Language }) {
  const say = sayIn(language)
  const [search, setSearch] = useState('')
  const [account, setAccount] = useState<string | null>(null)
  const accounts = useAccounts(channel, search)
  const check = useCheck()
  const found = accounts.data ?? []
  if (accounts.data?.length === 0 && search === '')
    return <p className={styles.missing}>{say('check_none')}</p>
  return (
    <div className={styles.check}>
      <h3>{say('check_title')}</h3>
      <p className={styles.hint}>{say('check_hint')}</p>
      <div className={styles.checkRow}>
        <SelectField
          aria-label={say('check_account')}
          placeholder={say('check_choose')}
          options={found.map(({ id, name, external_id }) => ({
            value: String(id),
            label: `${name} · ${external_id}`,
          }))}
          value={account}
          onChange={id => {
            check.reset()
            setAccount(id)
          }}
          searchable
          onSearch={setSearch}
        />
        <Button
          variant="default"
          loading={check.isPending}
          disabled={account === null}
          onClick={() => check.mutate(Number(account))}
        >
          {say('check')}
        </Button>
      </div>
      <div aria-live="polite">
        {check.error && <Problem code={check.error.code} />}
        {check.data && <Result result={check.data} language={language} channel={channel} />}
      </div>
    </div>
  )
}

interface ResultProps {
  result: NonNullable<ReturnType<typeof useCheck>['data']>
  language: Language
  channel: Channel
}

function Result({ result: { result, name = '', status, message }, language, channel }: ResultProps) {
  const say = sayIn(language)
  if (result === 'ok')
    return status === 'disabled' ? (
      <InlineAlert severity="warning">{say('check_disabled', { name })}</InlineAlert>
    ) : (
      <InlineAlert severity="success">{say('check_ok', { name })}</InlineAlert>
    )
  return (
    <InlineAlert severity="error">
      {isErrorCode(result) ? <ProblemText code={result} audience="internal" channel={channel} /> : result}
      {message !== undefined && <p className={styles.hint}>{message}</p>}
    </InlineAlert>
  )
}

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CodeField } from '#web/ui/code-field.tsx'
import { noCode, type EnteredCode } from './entered-code.ts'

interface CodeEntryProps {
  code: EnteredCode
  onChange: (code: EnteredCode) => void
  error?: ReactNode
  focusedFirst?: boolean
}

/** The code of the app or, for people without it at hand, a recovery code. */
export function CodeEntry({ code: { kind, text }, onChange, ...props }: CodeEntryProps) {
  const { t } = useTranslation('code_step')
  const other = kind === 'app' ? 'recovery' : 'app'
  return (
    <div>
      <CodeField
        key={kind}
        {...props}
        kind={kind}
        label={t(kind === 'app' ? 'code' : 'recovery_code')}
        value={text}
        onChange={value => onChange({ kind, text: value })}
      />
      <Button
        variant="subtle"
        size="compact-sm"
        mt={6}
        ml={-8}
        onClick={() => onChange({ ...noCode, kind: other })}
      >
        {t(kind === 'app' ? 'use_recovery_code' : 'use_app_code')}
      </Button>
    </div>
  )
}

import { useState } from 'react'
import type { CustomerContact } from '#shared/api/customers.ts'
import { ContactList } from '#web/ui/contact-list.tsx'
import { MoneyInput } from '#web/ui/money-input.tsx'
import type { TypedAmount } from '#web/ui/money.ts'
import { MonthPicker } from '#web/ui/month-picker.tsx'
import { RateInput } from '#web/ui/rate-input.tsx'
import type { TypedRate } from '#web/ui/rate.ts'
import { TermsInput, type TypedTerms } from '#web/ui/terms-input.tsx'
import { Part } from './part.tsx'
import { nothing, useWords } from './words.ts'

export function MoneyFields() {
  return (
    <>
      <Amounts />
      <Rates />
      <Agreed />
    </>
  )
}

function Amounts() {
  const say = useWords()
  const [amount, setAmount] = useState<TypedAmount>(100_000_000_000)
  const [signed, setSigned] = useState<TypedAmount>(-1_234_500_000)
  const [empty, setEmpty] = useState<TypedAmount>(null)
  return (
    <Part title={say('Amounts', '金額')}>
      <MoneyInput label={say('Budget', '預算')} value={amount} onChange={setAmount} currency="TWD" required />
      <MoneyInput
        label={say('Adjustment', '調整')}
        value={signed}
        onChange={setSigned}
        currency="USD"
        signed
        hint={say('May be negative', '可為負數')}
      />
      <MoneyInput label={say('Empty', '空白')} value={empty} onChange={setEmpty} currency="JPY" />
      <MoneyInput
        label={say('Off the step', '不符最小單位')}
        value={1_500_000}
        onChange={nothing}
        currency="TWD"
      />
      <MoneyInput
        label={say('Disabled', '停用')}
        value={1_234_500_000}
        onChange={nothing}
        currency="EUR"
        disabled
      />
    </Part>
  )
}

function Rates() {
  const say = useWords()
  const [rate, setRate] = useState<TypedRate>(1250)
  return (
    <Part title={say('Rates', '費率')}>
      <RateInput label={say('Service fee', '服務費')} value={rate} onChange={setRate} />
      <RateInput
        label={say('With an error', '有錯誤')}
        value={2000}
        onChange={nothing}
        error={say('Higher than agreed.', '高於約定費率。')}
      />
      <RateInput label={say('Disabled', '停用')} value={500} onChange={nothing} disabled />
    </Part>
  )
}

function Agreed() {
  const say = useWords()
  const [month, setMonth] = useState<string | null>('2026-11')
  const [terms, setTerms] = useState<TypedTerms>({ kind: 'month_end', days: 30 })
  const [contacts, setContacts] = useState<CustomerContact[]>([
    {
      name: say('Amy Lin', '林怡君'),
      title: say('Brand manager', '品牌經理'),
      phone: '02-2712-0000',
      email: 'amy@example.com',
      is_billing: true,
    },
  ])
  return (
    <Part title={say('Terms', '條件')}>
      <MonthPicker
        label={say('Until', '至')}
        value={month}
        onChange={setMonth}
        from="2026-01"
        to="2027-12"
        none={say('Until further notice', '直到另行通知')}
      />
      <TermsInput label={say('Payment terms', '付款條件')} value={terms} onChange={setTerms} />
      <ContactList label={say('Contacts', '聯絡人')} value={contacts} onChange={setContacts} />
    </Part>
  )
}

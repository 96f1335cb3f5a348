import { useState } from 'react'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { OrderedChips } from '#web/ui/ordered-chips.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Part } from './part.tsx'
import { nothing, useWords } from './words.ts'

export function Choices() {
  return (
    <>
      <OneOfSeveral />
      <SeveralOfMany />
      <InOrder />
    </>
  )
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

function OneOfSeveral() {
  const say = useWords()
  const [tab, setTab] = useState<string>('mon')
  const [many, setMany] = useState<string | null>(null)
  const [layout, setLayout] = useState<string>('joined')
  const days = weekdays.map((value, at) => ({
    value,
    label: say(`Day ${at + 1}`, `第 ${at + 1} 天`),
    disabled: at === 5,
  }))
  const hundred = Array.from({ length: 100 }, (_, at) => ({
    value: String(at),
    label: say(`Sheet ${at + 1}`, `工作表 ${at + 1}`),
  }))
  return (
    <Part title={say('One of several', '單選')}>
      <SelectField label={say('Single', '單選')} value={tab} onChange={setTab} options={days} required />
      <SelectField
        label={say('Searchable', '可搜尋')}
        searchable
        value={many}
        onChange={setMany}
        options={hundred}
        placeholder={say('Choose a sheet', '選擇工作表')}
      />
      <SelectField
        label={say('Single, with an error', '單選，有錯誤')}
        value={null}
        onChange={nothing}
        options={days}
        error={say('Please choose one.', '請選擇一項。')}
      />
      <SelectField
        label={say('Single, disabled', '單選，停用')}
        value="mon"
        onChange={nothing}
        options={days}
        disabled
      />
      <SegmentedField
        label={say('All in view', '並列')}
        value={layout}
        onChange={setLayout}
        options={[
          { value: 'joined', label: say('Side by side', '並排') },
          { value: 'stacked', label: say('One below the other', '上下堆疊') },
        ]}
      />
    </Part>
  )
}

const accounts = Array.from({ length: 1000 }, (_, at) => ({
  value: at,
  label: `Aurora ${String(at + 1).padStart(4, '0')}`,
  group: `Advertiser ${Math.floor(at / 25) + 1}`,
  note: String(10_100_000 + at),
  marked: at === 1,
}))

function SeveralOfMany() {
  const say = useWords()
  const [five, setFive] = useState<readonly number[]>([0, 1, 2, 3, 4])
  const [three, setThree] = useState<readonly number[]>([10, 11, 12])
  return (
    <Part title={say('Several of many', '多選')}>
      <MultiSelectField
        label={say('Five chosen', '已選五項')}
        options={accounts}
        value={five}
        onChange={setFive}
        whyNot={at => (at % 40 === 7 ? '—' : null)}
        required
      />
      <MultiSelectField
        label={say('Three chosen', '已選三項')}
        options={accounts}
        value={three}
        onChange={setThree}
      />
      <MultiSelectField
        label={say('None chosen', '尚未選擇')}
        options={accounts}
        value={[]}
        onChange={nothing}
        placeholder={say('Choose accounts', '選擇帳戶')}
        error={say('Please choose one.', '請選擇一項。')}
      />
      <MultiSelectField
        label={say('On their way', '載入中')}
        options={[]}
        value={[]}
        onChange={nothing}
        loading
      />
      <MultiSelectField
        label={say('Several, disabled', '多選，停用')}
        options={accounts}
        value={[0, 1]}
        onChange={nothing}
        disabled
      />
    </Part>
  )
}

function InOrder() {
  const say = useWords()
  const names: Record<string, string> = {
    date: say('Date', '日期'),
    campaign: say('Campaign', '廣告活動'),
    ad: say('Ad', '廣告'),
  }
  const [order, setOrder] = useState<readonly string[]>(['date', 'campaign', 'ad'])
  const nameOf = (value: string) => names[value] ?? value
  return (
    <Part title={say('In an order', '有順序')}>
      <OrderedChips
        label={say('Dimensions', '維度')}
        value={order}
        nameOf={nameOf}
        onChange={setOrder}
        marked={['ad']}
      />
      <OrderedChips
        label={say('Dimensions, disabled', '維度，停用')}
        value={['date', 'campaign']}
        nameOf={nameOf}
        onChange={nothing}
        disabled
      />
    </Part>
  )
}

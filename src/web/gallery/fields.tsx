import { useState } from 'react'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SecretField } from '#web/ui/secret-field.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { TagsField } from '#web/ui/tags-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Part } from './part.tsx'
import { nothing, useWords } from './words.ts'

export function Fields() {
  return (
    <>
      <Texts />
      <Secrets />
      <Switches />
    </>
  )
}

function Texts() {
  const say = useWords()
  const [text, setText] = useState(say('Weekly numbers', '每週數據'))
  const [empty, setEmpty] = useState('')
  const [long, setLong] = useState('')
  const [tags, setTags] = useState([say('Brand', '品牌'), say('Summer sale', '夏季特賣')])
  return (
    <Part title={say('Text', '文字')}>
      <TextField
        label={say('Filled', '已填寫')}
        value={text}
        onChange={setText}
        required
        hint={say('Seen by everybody', '所有人都看得到')}
      />
      <TextField
        label={say('Empty', '空白')}
        value={empty}
        onChange={setEmpty}
        placeholder={say('For example Aurora daily', '例如：Aurora 每日報表')}
      />
      <TextField
        label={say('With an error', '有錯誤')}
        value="1A"
        onChange={nothing}
        error={say('Please enter the correct cell format.', '請輸入正確的儲存格格式。')}
      />
      <TextField label={say('Disabled', '停用')} value="A1" onChange={nothing} disabled />
      <TextAreaField label={say('Several lines', '多行文字')} value={long} onChange={setLong} />
      <TextAreaField
        label={say('Several lines, with an error', '多行文字，有錯誤')}
        value={text}
        onChange={setText}
        rows={2}
        required
        error={say('Please say more.', '請填寫更多內容。')}
      />
      <TagsField
        label={say('Several texts', '多個文字')}
        value={tags}
        onChange={setTags}
        hint={say('Enter ends each.', '按 Enter 結束每一項。')}
      />
      <SearchField label={say('Search', '搜尋')} value="" onSearch={nothing} />
    </Part>
  )
}

function Secrets() {
  const say = useWords()
  const [password, setPassword] = useState('correct horse')
  const [secret, setSecret] = useState('')
  return (
    <Part title={say('Secrets', '密碼')}>
      <PasswordField
        label={say('Password', '密碼')}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
      />
      <PasswordField
        label={say('Password, refused', '密碼，有錯誤')}
        value=""
        onChange={nothing}
        autoComplete="new-password"
        error={say('Too short.', '長度不足。')}
      />
      <SecretField label={say('Token', '權杖')} value={secret} onChange={setSecret} required />
    </Part>
  )
}

function Switches() {
  const say = useWords()
  const [on, setOn] = useState(true)
  const [agreed, setAgreed] = useState(false)
  return (
    <Part title={say('On and off', '開關')}>
      <SwitchField
        label={say('Fill with 0', '以 0 填補')}
        hint={say('Where a combination has no data', '沒有資料的組合')}
        checked={on}
        onChange={setOn}
      />
      <SwitchField label={say('Off', '關閉')} checked={false} onChange={nothing} />
      <SwitchField label={say('Disabled', '停用')} checked disabled onChange={nothing} />
      <CheckboxField
        label={say('Keep the items in it', '保留資料夾內的項目')}
        hint={say('They move one level up.', '項目將移至上一層。')}
        checked={agreed}
        onChange={setAgreed}
      />
      <CheckboxField label={say('Disabled choice', '停用的選項')} checked disabled onChange={nothing} />
    </Part>
  )
}

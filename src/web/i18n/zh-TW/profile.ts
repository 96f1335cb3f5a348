import type { profile as english } from '../en/profile.ts'
import type { TextsLike } from '../texts.ts'

export const profile: TextsLike<typeof english> = {
  title: '個人資料',
  account: '帳號',
  username: '使用者名稱',
  role: '角色',
  department: '部門',
  email: '電子郵件',
  contact: '基本資料',
  full_name: '姓名',
  full_name_required: '請輸入姓名。',
  position: '職稱',
  extension: '公司分機',
  saved: '個人資料已儲存',
  password: '密碼',
  password_old: '目前的密碼',
  password_new: '新密碼',
  password_rule: '至少 12 個字元。變更後，其他已登入的瀏覽器都必須重新登入。',
  password_change: '變更密碼',
  password_changed: '密碼已變更',
}

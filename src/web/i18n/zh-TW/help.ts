import type { help as english } from '#web/i18n/en/help.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const help: TextsLike<typeof english> = {
  page: {
    any: '按 ? 可查看鍵盤快速鍵；若功能不如預期，請回報問題。',
    overview:
      '查看今天執行了哪些報表、哪些失敗與處理方式，以及接下來的排程。點選名稱即可開啟報表，失敗的報表會說明如何處理。',
    reports:
      '所有報表與資料夾。點選報表即可編輯，或從選單執行、複製、移動、共用、刪除；可一次選取多份報表。將報表拖曳到資料夾即可移動。',
    report_editor:
      '選擇試算表、管道及其帳戶與指標、維度與日期。預覽會顯示即將寫入的前幾列；儲存並執行之前，不會寫入任何資料。',
    permission_settings:
      '報表的寫入位置與權限。請複製系統帳號的電子郵件，將試算表以「編輯者」身分共用給該帳號，再重新檢查。',
    run_history: '報表的每次執行：時間、列數與問題。點選可查看各步驟、與前次的差異，並可還原當次的表格。',
    bulk_changes:
      '一次變更多份報表：更換帳戶、複製客戶的全部報表，或延長即將結束的報表。確認前可先查看變更內容，之後也能復原。',
    sheets: '內建的試算表。報表寫入的方式與 Google 試算表相同。',
    sheet: '試算表目前的內容。可捲動或輸入儲存格前往，並於上方共用或下載。',
    profile: '您的聯絡資料、通知、密碼與登入紀錄。',
    users: '所有帳號、角色，以及所服務或所屬的廣告主。',
    public_accounts: '代理商在各平台的登入。可測試、匯入帳戶，並於到期前更新。',
    audit: '誰做了什麼，以及變更的內容。',
    operations: '執行正在等待什麼、配額使用量，以及目前的工作程序。',
    mailbox: '示範環境中原本會寄出的電子郵件。',
    support: '所有回報的問題，點選即可查看或回覆。',
  },
  sharing: {
    copy: '複製系統帳號的電子郵件。',
    share: '開啟您的試算表，選擇「共用」，貼上該電子郵件並設為「編輯者」。',
    paste: '將試算表的連結貼到報表中，系統會立即檢查。',
  },
  keys_off: '此瀏覽器已關閉單鍵快速鍵。',
  switch_off: '關閉單鍵快速鍵',
  switch_on: '開啟單鍵快速鍵',
  sequence: '再按',
  where: {
    anywhere: '任何頁面',
    pages: '前往頁面',
    editor: '報表編輯器',
    folders: '資料夾',
    sheets: '試算表',
    charts: '圖表',
  },
  does: {
    palette: '搜尋報表、資料夾與頁面',
    search: '搜尋此頁',
    new_report: '新增報表',
    help: '顯示快速鍵',
    close: '關閉目前開啟的項目',
    save: '儲存',
    undo: '復原',
    redo: '重做',
    reorder: '移動維度或管道',
    move: '上一個或下一個資料夾',
    unfold: '展開或收合',
    open: '開啟資料夾',
    rename: '重新命名資料夾',
    delete: '刪除資料夾',
    menu: '資料夾選單',
    cell: '上一個或下一個儲存格',
    screen: '上一頁或下一頁',
    ends: '第一個或最後一個儲存格',
    point: '上一個或下一個數值',
  },
  news: {
    version: '版本 {{version}}',
    help: '每個頁面上方都有說明與鍵盤快速鍵，按 ? 可查看全部按鍵。',
    issues: '在任何頁面都能回報問題，之後還能補充；收到回覆時，可從通知直接開啟。',
    specialist: '給客戶的訊息會寫出代理商中可協助的人員。',
    escape: '每按一次 Esc 只關閉一個項目；表單內有文字時，會先詢問再關閉。',
    offline: '離線或無法連線至伺服器時，訊息會清楚說明。',
  },
}

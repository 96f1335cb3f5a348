import type { operations as english } from '#web/i18n/en/operations.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const operations: TextsLike<typeof english> = {
  title: '運作狀況',
  detail: '所有程序的整體狀況，每五秒更新一次。',
  none: '無',
  warning: {
    shared_address: {
      title: '所有訪客都被視為同一個位址',
      detail:
        '系統透過 https 對外服務，但 TRUST_PROXY 為 0，登入次數限制會以前方代理伺服器的位址計算。只要有一位訪客不斷猜測密碼，所有人都會無法登入。請將 TRUST_PROXY 設為代理伺服器的層數，並重新啟動。',
    },
  },
  tile: {
    waiting: '等待處理',
    oldest: '最久已等待 {{time}}',
    working: '處理中',
    phases: '擷取中 {{fetching}}、寫入中 {{writing}}',
    resting: '暫停中',
    resting_detail: '等待配額、平台回應或下次嘗試',
    ended: '最近一小時結束',
    outcomes: '完成 {{completed}}、失敗 {{failed}}',
    waited: '開始前的等待時間（中位數）',
    took: '從開始到結束（中位數）',
    p95: '95% 在 {{time}}內',
  },
  wait: {
    under_second: '不到 1 秒',
    seconds: '{{seconds}} 秒',
    minutes: '{{minutes}} 分鐘',
    hours: '{{hours}} 小時',
  },
  failures: {
    title: '最近 24 小時的失敗',
    none: '最近 24 小時沒有執行失敗',
    code: '代碼',
    runs: '執行次數',
    reports: '報表數',
    last: '最近一次',
  },
  quotas: {
    title: '造成等待的配額',
    none: '目前沒有配額造成等待',
    scope: '配額',
    wait: '下次可用',
    why: '原因',
    told: '平台限制請求頻率',
    runs: '等待中的執行',
    own: '為避免超過上限而降低速度',
    full: '同時送出的請求已達上限',
  },
  coming: {
    title: '未來 24 小時的排程',
    none: '未來 24 小時沒有排程',
    at: '時段',
    runs: '執行次數',
    share: '與最忙時段相比',
  },
  workers: {
    title: '忙碌中的工作程序',
    none: '目前沒有忙碌中的工作程序',
    worker: '主機與程序',
    runs: '執行數',
  },
  answers:
    '最近一小時的平台回應：取得 {{asked}} 份，共用 {{shared}} 份；快取 {{kept}} 份，{{megabytes}} MB。',
  system_users: {
    title: '系統帳號',
    system_user: '共用對象',
    gone: '已不在設定中',
    load: '最近一分鐘寫入 {{writes}} 次，專案 {{project}} 合計 {{project_writes}} 次。等待中的執行：{{waiting}}',
    spreadsheets: '試算表',
  },
  database: '資料庫：{{megabytes}} MB，{{sessions}} 個連線。',
}

/**
 * Everything that can go wrong, as one closed list: nothing else may reach a user. The texts are in
 * errors-en.ts and errors-zh-TW.ts. `status` is the HTTP status when a request is refused with the code;
 * `retried` says whether a run that meets it is retried automatically; `offer` is what ends it.
 */
export const errors = {
  // A request that cannot be served.
  invalid: refusal(400),
  has_subfolders: refusal(400),
  report_has_gaps: refusal(400),
  unauthenticated: refusal(401),
  second_factor_required: refusal(401),
  second_factor_wrong: refusal(401),
  second_factor_unreadable: refusal(401),
  forbidden: refusal(403),
  second_factor_setup_required: refusal(403),
  second_factor_mandatory: refusal(403),
  not_found: refusal(404),
  conflict: refusal(409),
  in_use: refusal(409),
  agreement_used: refusal(409),
  second_factor_not_begun: refusal(409),
  second_factor_off: refusal(409),
  payload_too_large: refusal(413),
  unsupported_media_type: refusal(415),
  wrong_host: refusal(421),
  rate_limited: refusal(429),
  overloaded: refusal(503),
  report_busy: { status: 409, retried: false, offer: 'run_again' },
  table_not_kept: refusal(409),
  table_is_current: refusal(409),
  target_changed: refusal(409),
  last_superuser: refusal(409),
  state_not_allowed: refusal(409),
  month_locked: refusal(409),
  lock_blocked: refusal(409),
  payments_exceed_order: refusal(409),
  payments_invoiced: refusal(409),
  order_covered: refusal(409),
  clear_text: refusal(400),
  audience_empty: refusal(400),
  plan_needed: refusal(403),
  action_not_allowed: refusal(409),
  members_expired: refusal(409),
  consent_denied: refusal(409),
  upload_open: refusal(409),
  upload_gap: refusal(409),
  has_lookalikes: refusal(409),
  other_advertiser: refusal(409),
  connect_denied: refusal(400),
  state_unknown: refusal(400),
  scope_missing: refusal(400),
  connect_failed: refusal(400),
  connect_other_person: refusal(409),
  platform_not_ready: refusal(409),
  too_many_reports: refusal(409),
  too_many_folders: refusal(409),
  too_many_issues: refusal(429),
  too_many_spreadsheets: refusal(429),
  too_many_uploads: refusal(429),
  quota_files: refusal(413),
  scan_unavailable: refusal(503),
  storage_unavailable: refusal(503),
  file_lost: refusal(410),
  range_not_satisfiable: refusal(416),
  link_checks_off: refusal(409),

  // What is wrong with one field of a request.
  field_required: field(),
  field_invalid: field(),
  field_too_long: field(),
  field_characters: field(),
  field_too_many: field(),
  field_unknown: field(),
  field_not_available: field(),
  folder_name: field(),
  folder_layer: field(),
  folder_mode: field(),
  name_taken: field(),
  contact_invalid: field(),
  department_needed: field(),
  employment_step: field(),
  tax_id_format: field(),
  tax_id_checksum: field(),
  agreement_overlaps: field(),
  base_currency_used: field(),
  formula_syntax: field(),
  formula_unknown: field(),
  formula_units: field(),
  conversion_overlaps: field(),
  label_taken: field(),
  rate_taken: field(),
  rate_of_base: field(),
  seed_not_shared: field(),
  rates_in_twd: field(),
  comparison_not_allowed: field(),
  password_too_short: field(),
  password_too_common: field(),
  password_wrong: field(),
  link_expired: field(),
  file_unreadable: field(),
  account_unknown: field(),
  account_ambiguous: field(),
  account_not_used: field(),
  account_other_channel: field(),
  range_not_fixed: field(),
  time_in_future: field(),
  image_type: field(),
  image_too_large: field(),
  too_many_images: field(),
  too_many_channels: field(),
  amount_step: field(),
  shares_sum: field(),
  discount_too_large: field(),
  document_too_large: field(),
  invoice_number_taken: field(),
  receipt_too_large: field(),
  document_type: field(),
  file_too_large: field(),
  upload_too_large: field(),
  file_empty: field(),
  file_type: field(),
  file_infected: field(),
  image_damaged: field(),
  image_too_small: field(),
  age_order: field(),
  list_twice: field(),
  personal_data: field(),
  placeholder_unknown: field(),
  value_locked: field(),
  value_not_allowed: field(),
  key_twice: field(),
  link_too_long: field(),

  // The target of a report.
  start_cell_not_set: fault('field'),
  start_cell_format: fault('field'),
  page_not_set: fault('permission_settings'),
  sheet_name_colon: fault('permission_settings'),
  sheet_name_mismatch: fault('permission_settings'),
  spreadsheet_not_set: fault('permission_settings'),
  not_a_spreadsheet: fault('permission_settings'),
  spreadsheet_not_shared: fault('share_spreadsheet'),
  spreadsheet_not_editor: fault('share_spreadsheet'),
  proof_required: fault('permission_settings'),
  owner_lacks_spreadsheet: fault('permission_settings'),
  protected_range: fault('share_spreadsheet'),
  named_range: fault('run_again'),
  cell_limit: fault('shorten_range'),
  cell_too_long: fault('edit_report'),
  target_overlap: fault('edit_report'),

  // The platforms' responses.
  channels_not_set: fault('edit_channel'),
  channel_no_data: fault('check_channel'),
  account_access_lost: fault('regain_access'),
  credential_expired: fault('reconnect'),
  credential_missing: fault('reconnect'),
  credential_unreadable: fault('reconnect'),
  no_access: fault('regain_access'),
  read_only: fault('regain_access'),
  not_claimed_by_business: fault('regain_access'),
  terms_not_accepted: fault('regain_access'),
  role_missing: fault('regain_access'),
  not_eligible: fault('regain_access'),
  account_inactive: fault('regain_access'),
  unsupported_channel: fault('none'),
  audience_flagged: fault('none'),
  audience_gone: fault('none'),
  channel_retired: fault('edit_channel'),
  combination_not_allowed: fault('edit_channel'),
  history_limit: fault('shorten_range'),
  range_too_long: fault('support'),
  mixed_currency: fault('edit_channel'),
  rate_missing: fault('edit_channel'),
  fee_not_flat: fault('edit_channel'),
  too_large: fault('shorten_range'),
  sort_not_in_report: refusal(400),
  quota_exhausted: passing(),
  platform_unavailable: passing(),
  platform_timeout: passing(),
  platform_error: passing(),
  spreadsheet_unavailable: passing(),

  // How a run ended.
  run_cancelled: fault('run_again'),
  run_expired: fault('run_again'),
  internal_error: { status: 500, retried: true, offer: 'contact_pm' },
} as const satisfies Record<string, ErrorFacts>

export type ErrorCode = keyof typeof errors

/** What ends it; failure-actions.ts says what that is for each person. */
export type Offer =
  | 'none'
  | 'field'
  | 'permission_settings'
  | 'share_spreadsheet'
  | 'run_again'
  | 'edit_report'
  | 'edit_channel'
  | 'check_channel'
  | 'shorten_range'
  | 'reconnect'
  | 'regain_access'
  | 'support'
  | 'wait'
  | 'contact_pm'

export interface ErrorFacts {
  status: number
  retried: boolean
  offer: Offer
}

/** The facts of a code, widened so that optional ones can be read. */
export const errorFacts = (code: ErrorCode): ErrorFacts => errors[code]

export const isErrorCode = (value: string): value is ErrorCode => Object.hasOwn(errors, value)

function refusal(status: number) {
  return { status, retried: false, offer: 'none' } satisfies ErrorFacts
}

function field() {
  return { status: 400, retried: false, offer: 'field' } satisfies ErrorFacts
}

/** Only a person can fix it. */
function fault(offer: Offer) {
  return { status: 400, retried: false, offer } satisfies ErrorFacts
}

function passing() {
  return { status: 503, retried: true, offer: 'wait' } satisfies ErrorFacts
}

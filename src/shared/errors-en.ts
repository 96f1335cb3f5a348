import type { ErrorTexts } from './error-texts.ts'

/** What every error says in English. A file a language, since a browser needs only one. */
export const errorsEn = {
  external: {
    // A request that cannot be served.
    invalid: 'Some fields are not valid.',
    has_subfolders: 'The folder to move must not contain any folder.',
    report_has_gaps: 'The report cannot run until its setup is complete.',
    unauthenticated: 'Please sign in.',
    second_factor_required: 'Please enter a code.',
    second_factor_wrong: 'This code is incorrect or has already been used.',
    second_factor_unreadable:
      'Codes from your app cannot be checked right now. Use a recovery code, or ask a superuser to reset your two-step sign-in.',
    forbidden: 'Your role does not allow this.',
    second_factor_setup_required: 'Your role requires two-step sign-in. Please set it up first.',
    second_factor_mandatory: 'Your role requires two-step sign-in, so it cannot be turned off.',
    not_found: 'This does not exist.',
    conflict: 'Somebody else has changed this in the meantime.',
    in_use: 'This is in use and cannot be deleted. You can deactivate it instead.',
    agreement_used: 'A locked month has used this agreement. It can only be ended, in that month or later.',
    second_factor_not_begun: 'The setup has expired. Please start again.',
    second_factor_off: 'Two-step sign-in is off.',
    payload_too_large: 'The request is too large.',
    unsupported_media_type: 'This content type is not supported.',
    wrong_host: 'Sheetcast is not available at this address.',
    rate_limited: 'Too many requests. Please wait a moment.',
    overloaded: 'The service is busy. Please try again in a moment.',
    report_busy: 'Another run of this report is waiting or in progress.',
    table_not_kept: 'The table of this run is no longer kept. Only the last five tables are.',
    table_is_current: 'This table is already in the spreadsheet.',
    target_changed:
      'The report now writes to a different spreadsheet, tab or starting cell, so the table of this run cannot be restored.',
    last_superuser: 'This is the last superuser who can sign in. Make somebody else a superuser first.',
    state_not_allowed: 'This cannot be done any more, or not yet. The current state is shown now.',
    payments_invoiced:
      'A payment of this order has an invoice number or a receipt, so the order cannot be cancelled.',
    order_covered: 'The payments already cover this order.',
    month_locked: 'This month is locked. Put it into an open month, or open the month again first.',
    lock_blocked: 'The month cannot be locked or opened yet. What is in the way is listed.',
    payments_exceed_order:
      'Payments that have been invoiced or received come to more than this revision. Change its lines, or void them first.',
    clear_text: 'This is not a hash. Identifiers must be hashed before they are sent.',
    audience_empty: 'There is nobody in this list: no column with e-mail or phone, or no rows.',
    plan_needed: 'Changing audiences needs the Advanced plan.',
    action_not_allowed: 'This kind of audience, or its present state, does not allow this.',
    members_expired: 'Our copy of the list has been destroyed. Upload the file again first.',
    consent_denied: 'Consent is set to “denied”, so this audience cannot be shared.',
    upload_open: 'Another upload to this audience is under way.',
    upload_gap: 'This is not the batch that comes next.',
    has_lookalikes: 'Lookalike audiences are made from this one. Delete them first.',
    other_advertiser: 'This account belongs to another advertiser.',
    connect_denied: 'The request was declined at the platform. Nothing was stored.',
    state_unknown:
      'This link has been used, has expired, or was begun by somebody else. Please connect again.',
    scope_missing: 'Some permissions were not granted.',
    connect_failed: 'The platform refused the connection.',
    connect_other_person: 'This is another person at the platform than before.',
    platform_not_ready: 'The app of this platform is not set up yet.',
    too_many_reports: 'You have reached the limit of reports. Deleted reports count for 30 days.',
    too_many_folders: 'You have reached the limit of folders. Deleted folders count for 30 days.',
    too_many_spreadsheets:
      'You have reached the limit of new spreadsheets in 24 hours. Please try again later, or paste the address of one that you have.',
    too_many_issues: 'You have reached the limit of issues for today. Please try again tomorrow.',

    // What is wrong with one field of a request.
    field_required: 'Please fill this in.',
    field_invalid: 'This value is not valid.',
    field_too_long: 'This is too long.',
    field_characters: 'This contains invisible characters. Please type it again.',
    field_too_many: 'There are too many of these.',
    field_unknown: 'This field does not exist.',
    field_not_available: 'This is not available to you.',
    folder_name: 'The folder name must not be empty or duplicated.',
    folder_layer: 'Folder layers are limited to two.',
    folder_mode: 'Choose whether to keep or delete the contents.',
    name_taken: 'This name is already taken.',
    contact_invalid:
      'This does not fit the type: a mobile number such as 0912 345 678, an e-mail address, a Facebook ID, or a Line ID of small letters and digits.',
    department_needed: 'Choose a department. Only clients have none.',
    employment_step:
      'This is not possible from the present employment. Only people who have resigned can be deleted.',
    tax_id_format: 'A tax ID has eight digits in Taiwan, and T with 13 digits in Japan.',
    tax_id_checksum: 'This tax ID has a typing error: its check digit does not match.',
    agreement_overlaps: 'Another agreement of this channel and currency covers some of these months.',
    base_currency_used:
      'Exchange rates or locked months are in this currency, so it can no longer be changed.',
    formula_syntax: 'This is not a formula. Use metrics, numbers, + − × ÷ and parentheses.',
    formula_unknown: 'There is no such metric, or no channel has it together with the others.',
    formula_units:
      'Money and counts cannot be added or subtracted, and only an amount can be shown as money.',
    conversion_overlaps: 'Two of these count the same event, which would be counted twice.',
    label_taken: 'This metric already has a name here.',
    rate_taken: 'This month already has a rate of this currency.',
    rate_of_base: 'The base currency itself needs no rate.',
    seed_not_shared: 'This audience is not shared with a Meta account yet.',
    rates_in_twd: 'The rates of Bank of Taiwan are in TWD, which is not the base currency.',
    comparison_not_allowed:
      'Weeks can only be compared by weekday, and months by date; for the previous period they must begin on the 1st.',
    password_too_short: 'The password must have at least 12 characters.',
    password_too_common: 'This password is too easy to guess.',
    password_wrong: 'The current password is incorrect.',
    link_expired: 'This link has been used or has expired. Please ask for a new one.',
    file_unreadable: 'This YAML cannot be read.',
    account_unknown: 'This account does not exist or is not available to you.',
    account_ambiguous: 'Several accounts have this name. Use the account ID instead.',
    account_not_used: 'The report does not use this account.',
    account_other_channel: 'A channel cannot have accounts of two different channels.',
    range_not_fixed: 'The date range is dynamic and has no end date.',
    time_in_future: 'The time must not be in the future.',
    image_type: 'This image cannot be shown. Use PNG, JPEG, GIF or WebP.',
    image_too_large: 'The image is too large. The limit is 5 MB and 50 million pixels.',
    too_many_images: 'You have reached the limit of images for today. Please send the issue without one.',
    too_many_channels: 'The report has more channels than allowed.',
    amount_step: 'The currency does not have this many decimals.',
    shares_sum: 'The shares must come to 100 % together.',
    discount_too_large: 'The discount is more than what is charged.',
    document_too_large: 'One document may come to 9,000,000,000 at most.',
    invoice_number_taken: 'Another payment has this invoice number.',
    receipt_too_large: 'This is more than what is still to be paid.',
    document_type: 'This document cannot be read. Use PDF, PNG or JPEG.',
    file_too_large: 'The file is too large. The limit is 10 MB.',

    // The target of a report.
    start_cell_not_set: 'Please enter the starting cell.',
    start_cell_format: 'Please enter the correct cell format.',
    page_not_set: 'Please choose a tab.',
    sheet_name_colon:
      'The tab name contains a half-width colon. Rename the tab and set the permissions again.',
    sheet_name_mismatch:
      'The tab was renamed or deleted. Press the permission settings button to choose it again.',
    spreadsheet_not_set: 'Please enter the address of the spreadsheet.',
    not_a_spreadsheet:
      'This is not the address of a Google spreadsheet. An Office file must be saved as a Google spreadsheet first.',
    spreadsheet_not_shared: 'The spreadsheet is not shared with the system user.',
    spreadsheet_not_editor: 'The system user can only view the spreadsheet. Please make it an Editor.',
    proof_required:
      'Please confirm that this spreadsheet is yours: type the code into any empty cell and check again.',
    owner_lacks_spreadsheet:
      'The report’s owner does not control this spreadsheet. Ask them to choose it, or copy the report.',
    protected_range: 'A protected range is in the way. Its owner must add the system user to it.',
    named_range: 'A named range is in the way. Delete the affected named ranges and run the report again.',
    cell_limit:
      'The spreadsheet would exceed 10 million cells. Reduce the data: do not fill with 0, or shorten the date range.',
    cell_too_long: 'A text has more than 50,000 characters, which does not fit in a cell.',
    target_overlap: 'The table of another report is in the way.',

    // The platforms' responses.
    channels_not_set: 'Please add a channel.',
    channel_no_data:
      'There is no data. Usually the permissions are not granted, or the filters or dates do not fit. Please contact your service specialist.',
    account_access_lost: 'This account can no longer be used. Please contact your service specialist.',
    credential_expired: 'The connection to the platform has expired. Please contact your service specialist.',
    credential_missing: 'The platform is not connected yet. Please contact your service specialist.',
    credential_unreadable:
      'The connection to the platform does not work. Please contact your service specialist.',
    no_access: 'The shared login has no right to audiences in this account.',
    read_only: 'The shared login can only view this account.',
    not_claimed_by_business: 'The account does not belong to a business at the platform.',
    terms_not_accepted: 'The platform’s terms for audiences have not been accepted.',
    role_missing: 'The shared login lacks the role for audiences.',
    not_eligible: 'The platform does not offer customer lists to this account.',
    account_inactive: 'The account is not active at the platform.',
    unsupported_channel: 'Audiences cannot be shared with this kind of account.',
    audience_flagged: 'The platform has blocked this audience because of its policies.',
    audience_gone: 'The audience no longer exists at the platform. Share it again to make it anew.',
    channel_retired: 'This platform has been shut down by its provider.',
    combination_not_allowed:
      'This combination of dimensions, metrics and filters is not available on the platform.',
    history_limit: 'The date range starts before the earliest available date.',
    range_too_long: 'The date range is longer than allowed.',
    sort_not_in_report: 'A table is sorted by one of its own dimensions or metrics.',
    mixed_currency: 'The accounts have different currencies. Add account name or currency as a dimension.',
    rate_missing: 'A currency rate is missing.',
    fee_not_flat:
      'The service fee of a customer has tiers or fixed amounts, so the cost including it is not known.',
    too_large: 'This is too much data for the platform. Shorten the date range or remove a dimension.',
    quota_exhausted: 'The quota is used up for now. The run continues automatically.',
    platform_unavailable: 'The platform is not available right now.',
    platform_timeout: 'The platform did not respond in time.',
    platform_error: 'The response from the platform could not be read.',
    spreadsheet_unavailable: 'The spreadsheet service is not available right now.',

    // How a run ended.
    run_cancelled: 'The run was cancelled.',
    run_expired: 'The run could not finish within 6 hours.',
    internal_error: 'Something went wrong. Please contact the PM.',
  },
  /** For internal people, where the text says more. */
  internal: {
    channel_no_data:
      'There is no data. Usually the permissions are not granted (see the instructions), or the filters or dates do not fit.',
    account_access_lost:
      'The account can no longer be used. See the instructions on how to authorise it again.',
    credential_expired: 'The shared login of the platform has expired. A superuser must reconnect it.',
    credential_missing: 'No shared login is set for the platform. A superuser must connect one.',
    credential_unreadable:
      'The key for the shared login of the platform is missing. A superuser must enter the login again or restore the key.',
  },
} as const satisfies ErrorTexts

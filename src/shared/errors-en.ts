import type { ErrorTexts } from './error-texts.ts'

/** What every error says in English. A file a language, since a browser needs only one. */
export const errorsEn = {
  external: {
    // A request that cannot be served.
    invalid: 'Some fields are not valid.',
    has_subfolders: 'The folder to move must not contain any folder.',
    report_has_gaps: 'The report is not completely set up yet, so it cannot run.',
    unauthenticated: 'Please sign in.',
    second_factor_required: 'Please enter a code.',
    second_factor_wrong: 'This code is not right, or has been used already.',
    second_factor_unreadable: 'Codes of your app cannot be checked now. Use a recovery code.',
    forbidden: 'Your role does not allow this.',
    second_factor_setup_required: 'Your role needs two-step sign-in.',
    second_factor_mandatory: 'Your role needs two-step sign-in.',
    not_found: 'This does not exist.',
    conflict: 'Somebody else has changed this in the meantime.',
    second_factor_not_begun: 'The setup is over. Please begin again.',
    second_factor_off: 'Two-step sign-in is not turned on.',
    payload_too_large: 'The request is too large.',
    unsupported_media_type: 'This type of content is not accepted.',
    wrong_host: 'This address is not known.',
    rate_limited: 'Too many requests. Please wait a moment.',
    overloaded: 'The service is busy. Please try again in a moment.',
    report_busy: 'Another run of this report waits or is under way.',
    table_not_kept: 'The table of this run is no longer kept. Only the last five tables are.',
    table_is_current: 'This table is already in the spreadsheet.',
    target_changed:
      'The report now writes to a different place, so the table of this run cannot be restored.',
    too_many_reports: 'You have as many reports as one may have.',
    too_many_folders: 'You have as many folders as one may have.',
    too_many_issues: 'You have reported many issues today.',

    // What is wrong with one field of a request.
    field_required: 'Please fill this in.',
    field_invalid: 'This value is not accepted.',
    field_too_long: 'This is too long.',
    field_characters: 'This has characters that cannot be seen.',
    field_too_many: 'There are too many of these.',
    field_unknown: 'There is no such field.',
    field_not_available: 'This is not available to you.',
    folder_name: 'The folder name must not be empty or duplicated.',
    folder_layer: 'Folder layers are limited to two.',
    folder_mode: 'Say whether the contents are kept or deleted.',
    name_taken: 'This name is taken.',
    username_taken: 'This account name is taken.',
    password_too_short: 'A password has at least 12 characters.',
    password_too_common: 'This password is too easy to guess.',
    password_wrong: 'The present password is wrong.',
    link_expired: 'This link has been used or has expired. Please ask for a new one.',
    file_unreadable: 'This is no YAML that can be read.',
    account_unknown: 'There is no such account, or it is not available to you.',
    account_ambiguous: 'Several accounts have this name; write its ID instead.',
    account_not_used: 'The report does not ask this account.',
    account_other_channel: 'Accounts of two channels cannot stand in one entry.',
    range_not_fixed: 'The date range moves with the days and has no end.',
    time_in_future: 'A time in the future cannot be chosen.',
    image_type: 'This is no picture that can be shown: PNG, JPEG, GIF and WebP can.',
    image_too_large: 'The picture is too large: 5 MB and 50 million pixels at most.',
    too_many_images: 'You have sent many pictures today. Please send the issue without one.',

    // The place that a report writes to.
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
    cell_too_long: 'A text has more than 50,000 characters, which a cell cannot hold.',
    target_overlap: 'The table of another report is in the way.',

    // What the platforms gave.
    channels_not_set: 'Please add a channel.',
    channel_no_data:
      'There is no data. Usually the permissions are not granted, or the filters or dates do not fit. Please contact your service specialist.',
    account_access_lost: 'This account can no longer be used. Please contact your service specialist.',
    credential_expired: 'The connection to the platform has expired. Please contact your service specialist.',
    credential_missing: 'The platform is not connected yet. Please contact your service specialist.',
    credential_unreadable:
      'The connection to the platform is broken. Please contact your service specialist.',
    channel_retired: 'This platform has been switched off by its maker.',
    combination_not_allowed: 'The platform cannot give this combination of dimensions, metrics and filters.',
    history_limit: 'The date range begins before the earliest day that can be asked for.',
    mixed_currency: 'The accounts have different currencies. Add account name or currency as a dimension.',
    rate_missing: 'A currency rate is missing.',
    too_large: 'The platform cannot give this much data. Shorten the date range or remove a dimension.',
    quota_exhausted: 'The quota is used up for now. The run goes on by itself.',
    platform_unavailable: 'The platform is not available right now.',
    platform_timeout: 'The platform did not answer in time.',
    platform_error: 'The platform gave an answer that cannot be read.',
    spreadsheet_unavailable: 'The spreadsheet service is not available right now.',

    // How a run ended.
    run_cancelled: 'The run was cancelled.',
    run_expired: 'The run could not finish within 6 hours.',
    internal_error: 'Something went wrong. Please contact the PM.',
  },
  /** To the agency's own people, where they are told more. */
  internal: {
    channel_no_data:
      'There is no data. Usually the permissions are not granted (see the instructions), or the filters or dates do not fit.',
    account_access_lost:
      'The account can no longer be used. See the instructions on how to authorise it again.',
    credential_expired: 'The shared login of the platform has expired. A superuser must reconnect it.',
    credential_missing: 'No shared login is set for the platform. A superuser must connect one.',
    credential_unreadable:
      'The key that opens the shared login of the platform is missing. A superuser must enter the login again, or the key must be brought back.',
  },
} as const satisfies ErrorTexts

/**
 * The second step of signing in: a code of the app, or a recovery code. Loaded only for people with a second
 * factor.
 */
export const code_step = {
  title: 'Two-step sign-in',
  detail: 'Please enter the code from your authenticator app.',
  recovery_detail: 'Please enter one of your recovery codes. Each can be used once.',
  code: 'Code from the app',
  recovery_code: 'Recovery code',
  use_recovery_code: 'Use a recovery code',
  use_app_code: 'Use a code from the app',
  code_required: 'Please enter the code.',
  code_wrong: 'This code is incorrect or has already been used. The app shows a new one every 30 seconds.',
  recovery_wrong: 'This recovery code is incorrect or has already been used.',
  back: 'Back',
} as const

/** The second step of signing in: a code of the app, or a recovery code. Loaded by whoever has a second factor. */
export const code_step = {
  title: 'Two-step sign-in',
  detail: 'Please enter the code that your authenticator app shows.',
  recovery_detail: 'Please enter one of the recovery codes that you have kept. It is good once.',
  code: 'Code of the app',
  recovery_code: 'Recovery code',
  use_recovery_code: 'Use a recovery code',
  use_app_code: 'Use the code of the app',
  code_required: 'Please enter the code.',
  code_wrong: 'This code is not right, or has been used already. The app shows a new one every 30 seconds.',
  recovery_wrong: 'This recovery code is not right, or has been used already.',
  back: 'Back',
} as const

export const mailbox = {
  title: 'Demo mailbox',
  detail: 'E-mails that would have been sent. Nothing leaves this machine.',
  empty: 'No e-mails yet',
  empty_detail:
    'When one of your reports fails or recovers, the e-mail appears here a few seconds later.',
  not_here: 'No mailbox',
  not_here_detail: 'E-mails are sent to people and cannot be read here.',
  to: 'To {{to}}',
  from: 'From',
  receiver: 'To',
  at: 'Sent',
  form: 'Show as',
  html: 'HTML',
  text: 'Text',
  back: 'All e-mails',
} as const

export const mailbox = {
  title: 'Demo mailbox',
  detail: 'What would have been sent by e-mail. Nothing leaves this machine.',
  empty: 'No mail yet',
  empty_detail:
    'When one of your reports breaks or works again, the mail about it stands here a few seconds later.',
  not_here: 'No mailbox here',
  not_here_detail: 'Mails go to people, so that they cannot be read here.',
  to: 'To {{to}}',
  from: 'From',
  receiver: 'To',
  at: 'Sent',
  form: 'Show as',
  html: 'HTML',
  text: 'Text',
  back: 'All mails',
} as const

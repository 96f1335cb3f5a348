/** Fields for amounts, rates, months, terms and contacts. */
export const money = {
  amount: {
    not_an_amount: 'Enter an amount such as {{example}}.',
    whole: '{{currency}} is billed in whole units. Enter an amount without decimals.',
    step: 'Amounts are billed in steps of {{step}}.',
    too_large: 'The most is {{most}}.',
    negative: 'Enter an amount of 0 or more.',
  },
  rate: {
    not_a_rate: 'Enter a rate such as 12.5.',
    decimals: 'Enter at most two decimals.',
    out_of_range: 'Enter a rate from 0 to {{most}}.',
  },
  month: { choose: 'Choose a month' },
  terms: {
    from: 'Counted from',
    days: 'After the issue date',
    month_end: 'After the end of the month',
    number: 'Number of days',
    unit: 'days',
    days_range: 'Enter 0 to {{most}} days.',
  },
  contact: {
    nth: 'Contact {{number}}',
    name: 'Name',
    title: 'Job title',
    phone: 'Phone',
    email: 'E-mail',
    is_billing: 'Receives documents about money',
    add: 'Add contact',
    remove: 'Remove contact {{number}}',
  },
} as const

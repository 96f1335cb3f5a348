-- A void payment names the statement that it was for. When its month is opened again, that statement is kept, out of the way of the next one.
alter table statement
  add column reopened_at timestamptz,
  drop constraint statement_month_advertiser_currency_key;
create unique index statement_in_force on statement (month, advertiser, currency) where reopened_at is null;

-- As the statement shows them: with the platforms' invoices, and the rate as decimal text.
alter table statement_line
  add column invoiced bigint,
  add column rate text;

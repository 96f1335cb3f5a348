-- What the lists of orders and payments read: a page in the order of its column, and the sums of everything that the
-- filters find, without the rows themselves.
create index quotation_number_order on quotation (number, id);
create index quotation_title on quotation (title, id);
create index quotation_total on quotation (total, id);
create index quotation_issue_on on quotation (issue_on, id);
create index quotation_valid_until_order on quotation (valid_until, id);
create index quotation_last_modified_at on quotation (last_modified_at, id);
create index quotation_sums on quotation (advertiser) include (status, currency, valid_until, total, agent, owner, issue_on);
create index quotation_trigrams on quotation using gin (number gin_trgm_ops, title gin_trgm_ops, client_po gin_trgm_ops);
create index quotation_line_span on quotation_line (quotation) include ("start", "end");

create index payment_due_on on payment (due_on, id);
create index payment_issue_on on payment (issue_on, id);
create index payment_amount on payment (amount, id);
create index payment_last_modified_at on payment (last_modified_at, id);
create index payment_sums on payment (advertiser) include (status, currency, due_on, amount, received, quotation);

alter table quotation
  -- The valid_until of which its owner and finance have been notified.
  add column expiry_noted date,
  -- Of an accepted order whose lines run: how it was delivered when this was last looked at.
  add column verdict text check (verdict in ('under', 'on_pace', 'over')),
  add column verdict_at timestamptz;
create index quotation_expiry on quotation (valid_until) where status = 'sent' and expiry_noted is distinct from valid_until;
create index quotation_off_pace on quotation (advertiser, id) where status = 'accepted' and verdict in ('under', 'over');
create index quotation_accepted on quotation (verdict_at nulls first, id) where status = 'accepted';
create index quotation_line_open on quotation_line ("end") where final_at is null;

-- The due_on of which the order's owner and finance have been notified.
alter table payment add column overdue_noted date;
create index payment_overdue on payment (due_on) where status = 'due' and overdue_noted is distinct from due_on;

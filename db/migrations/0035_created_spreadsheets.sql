-- Spreadsheets that the product has created for people: a request that is repeated finds the one that it has created, and a day's are counted.
create table spreadsheet_creation (
  user_id bigint not null references users (id) on delete cascade,
  idempotency_key text not null,
  title text not null,
  -- null until the service has created it.
  spreadsheet_id text,
  -- While a request is creating it.
  started_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, idempotency_key)
);
create index spreadsheet_creation_created_at on spreadsheet_creation (created_at);

-- As of the last time that they were listed, for the list of one's spreadsheets.
alter table spreadsheet_binding add column tabs integer;

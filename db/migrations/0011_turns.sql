-- When the last requests in this scope were sent, oldest first: exactly so many fit into any minute.
alter table quota add column turns timestamptz[] not null default '{}';

-- Its place in the line before the spreadsheet service: from then on the run need not queue up again.
alter table run add column turn_at timestamptz;

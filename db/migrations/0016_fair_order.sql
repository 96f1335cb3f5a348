-- Who goes before whom among runs that wait: see resources/runs/rounds.ts.
alter table run
  -- The advertiser that most of its accounts belong to, as it was when the run began to wait.
  add column advertiser bigint references advertiser on delete set null,
  -- In which round of the queue, and later of the line before the spreadsheet service, it is its person's turn, and its advertiser's.
  add column person_round integer,
  add column advertiser_round integer,
  -- The later of the two: when it is its own.
  add column round integer,
  -- The line that it stands in; null: in none, or its turn has come.
  add column line text;
create index run_line on run (line, round, turn_at) where line is not null and status = 'queued';
create index run_advertiser on run (advertiser);

-- no transaction
-- What a new run's round depends on: the head of the queue, the last round of its person, and the waiting runs of its advertiser. By index, since reading
-- all that waits for each run made the thousandth slower than the first. Each condition stands inside of coalesce, so that it fits this index alone: of
-- several partial indexes that were empty when they were last analysed, the planner takes any, and in the wrong one it reads all that waits.
drop index concurrently if exists run_head;
create index concurrently run_head on run ((trigger <> 'schedule'), round)
  where coalesce(status = 'queued' and started_at is null and round is not null, false);
drop index concurrently if exists run_of_person;
create index concurrently run_of_person
  on run ((trigger <> 'schedule'), (case when trigger = 'schedule' then owner else coalesce(requested_by, owner) end), person_round)
  where coalesce(status = 'queued' and started_at is null and person_round is not null, false);
drop index concurrently if exists run_of_advertiser;
create index concurrently run_of_advertiser on run ((trigger <> 'schedule'), advertiser, person_round)
  where coalesce(status = 'queued' and started_at is null and advertiser_round is not null, false);

-- Lists and searches over everybody's reports, which superusers have; those over one's own are found by their owner.
create extension if not exists pg_trgm;
create index report_name_trigrams on report using gin (name gin_trgm_ops) where deleted_at is null;
create index report_modified on report (last_modified_at, id) where deleted_at is null;
create index report_name on report (lower(name), id) where deleted_at is null;

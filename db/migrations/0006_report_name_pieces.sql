-- Most Chinese words are two characters, and trigrams begin at three: a search for "成效" among everybody's reports read all of them.
-- A name's single characters and pairs, folded: what a search of one or two characters is found by.
create function name_pieces(name text) returns text[]
language sql immutable strict parallel safe cost 1000
return array(
  select distinct substr(lower(name), start, size)
  from generate_series(1, length(lower(name))) start, generate_series(1, 2) size
);
create index report_name_pieces on report using gin (name_pieces(name)) where deleted_at is null;

-- Whether a report's table is made to look like its preview: header bold and frozen, column widths, number formats. A constant default, so that the
-- table of reports is not rewritten.
alter table report add column format_table boolean not null default true;

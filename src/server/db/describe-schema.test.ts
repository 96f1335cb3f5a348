import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { describeSchema } from './describe-schema.ts'
import { createTestDatabase } from './testing/database.ts'

describe('the description of a schema', async () => {
  const { url, drop } = await createTestDatabase()
  const client = new Client(url)
  await client.connect()
  afterAll(async () => {
    await client.end()
    await drop()
  })

  it('names everything that a migration can create, and nothing of extensions', async () => {
    await client.query(`
      create extension pg_trgm;
      create role describe_reader;
      create type mood as enum ('fine', 'tired');
      create domain small as int check (value < 9);
      create table one (
        id bigint generated always as identity primary key,
        name text not null default 'x' check (name <> ''),
        doubled text generated always as (name || name) stored,
        mood mood
      );
      create index one_name on one using gin (name gin_trgm_ops);
      create function touch() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger one_touch before update on one for each row execute function touch();
      alter table one enable row level security;
      create policy one_mine on one for select to describe_reader using (id < 10);
      grant select, insert on one to describe_reader;
      create view names as select name from one;`)
    expect(await describeSchema(url)).toMatchInlineSnapshot(`
      "-- What db/migrations amount to. Written by scripts/schema.ts; do not edit.

      create extension pg_trgm;

      create type mood as enum ('fine', 'tired');

      create domain small as integer CHECK ((VALUE < 9));

      create table one (
        id bigint not null generated always as identity,
        name text not null default 'x'::text,
        doubled text generated always as ((name || name)) stored,
        mood mood,
        constraint one_pkey PRIMARY KEY (id),
        constraint one_name_check CHECK ((name <> ''::text))
      );
      CREATE INDEX one_name ON public.one USING gin (name gin_trgm_ops);
      alter table one enable row level security;

      create view names as
       SELECT name
         FROM one;

      CREATE OR REPLACE FUNCTION public.touch()
       RETURNS trigger
       LANGUAGE plpgsql
      AS $function$ begin return new; end $function$;

      CREATE TRIGGER one_touch BEFORE UPDATE ON public.one FOR EACH ROW EXECUTE FUNCTION touch();

      create policy one_mine on one as permissive for select to describe_reader using ((id < 10));

      grant insert, select on one to describe_reader;
      "
    `)
  })
})

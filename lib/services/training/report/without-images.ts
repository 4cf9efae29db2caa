import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

/**
 * A verdict, or a contract that holds one, without the outcome of every test image: that is most of its bytes, and a
 * list of many does not show it.
 */
export const withoutImages = (document: AnyColumn): SQL<Record<string, unknown> | null> => sql`
  case when jsonb_typeof(${document} #> '{metrics,tests}') = 'array'
  then jsonb_set(${document}, '{metrics,tests}', (
    select coalesce(jsonb_agg(test - 'images' order by place), '[]')
    from jsonb_array_elements(${document} #> '{metrics,tests}') with ordinality as tests(test, place)))
  else ${document} end`;

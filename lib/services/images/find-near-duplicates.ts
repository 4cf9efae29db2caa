import { sql } from 'drizzle-orm';
import type { Db } from '@/db';
import { farthest } from './group-lookalikes';

export interface NearDuplicate {
  imageId: string;
  name: string;
  otherId: string;
  otherName: string;
  /** Bits of 64 in which the difference hashes differ. */
  distance: number;
}

/**
 * Pairs of images of a project that look alike, the most alike first. They share one of four 16-bit quarters of
 * their hashes, so that pairs are found by joining on quarters instead of comparing every image with every other.
 */
export async function findNearDuplicates(
  db: Db,
  input: { projectId: string; distance?: number; limit?: number },
): Promise<NearDuplicate[]> {
  const distance = Math.min(input.distance ?? farthest, farthest);
  const { rows } = await db.execute<{ [Key in keyof NearDuplicate]: NearDuplicate[Key] }>(sql`
    with quarters as (
      select id, name, perceptual_hash as hash, quarter, (perceptual_hash >> (16 * quarter)) & 65535 as bits
      from images, generate_series(0, 3) as quarter
      where project_id = ${input.projectId} and state = 'active'
    ), pairs as (
      select distinct one.id as id, one.name as name, other.id as other_id, other.name as other_name,
        bit_count((one.hash # other.hash)::bit(64))::int as distance
      from quarters one join quarters other
        on one.quarter = other.quarter and one.bits = other.bits and one.id < other.id
      where bit_count((one.hash # other.hash)::bit(64)) <= ${distance}
    )
    select id as "imageId", name, other_id as "otherId", other_name as "otherName", distance
    from pairs order by distance, id, other_id limit ${input.limit ?? 100}`);
  return rows;
}
